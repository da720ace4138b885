import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { locate } from './locate.js';

/** The shared Redis of this run, or undefined if the machine has none: `describe.skipIf(redisUrl === undefined)`. */
export const redisUrl: string | undefined = await locate('redis');

/** A key prefix that no other test uses: `test:<random>:`. */
export function freshKeyPrefix(): string {
  return `test:${randomBytes(8).toString('hex')}:`;
}

const CLAIM_SECONDS = 900;

/**
 * An empty logical database of the shared Redis, exclusive to one test file while it is claimed (15 minutes at most). `drop()`
 * empties and releases it. Pub/sub channels are shared by all databases: use unique names.
 */
export async function freshRedis(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  if (redisUrl === undefined) throw new Error('there is no real Redis here');
  const base = new Redis(redisUrl, { maxRetriesPerRequest: 1, connectTimeout: 5_000 });
  try {
    const reply = (await base.config('GET', 'databases')) as unknown as string[];
    const databases = Number(reply[1] ?? 16);
    const first = 1 + Math.floor(Math.random() * (databases - 1));
    for (let step = 0; step < databases - 1; step += 1) {
      const index = 1 + ((first + step) % (databases - 1));
      const claim = `test-services:claim:${index}`;
      if ((await base.set(claim, '1', 'EX', CLAIM_SECONDS, 'NX')) !== 'OK') continue;
      await base.select(index);
      await base.flushdb();
      return { url: withDatabase(redisUrl, index), drop: () => giveBack(base, index, claim) };
    }
    throw new Error(`all ${databases - 1} logical databases of the shared Redis are claimed`);
  } catch (error) {
    base.disconnect();
    throw error;
  }
}

/** The same with a client of it, which `drop()` ends too. */
export async function freshRedisClient(): Promise<{ readonly client: Redis; readonly drop: () => Promise<void> }> {
  const { url, drop } = await freshRedis();
  const client = new Redis(url);
  const end = () => {
    client.disconnect();
    return drop();
  };
  return { client, drop: end };
}

async function giveBack(client: Redis, index: number, claim: string): Promise<void> {
  await client.select(index);
  await client.flushdb();
  await client.select(0);
  await client.del(claim);
  client.disconnect();
}

function withDatabase(url: string, index: number): string {
  const target = new URL(url);
  target.pathname = `/${index}`;
  return target.href;
}
