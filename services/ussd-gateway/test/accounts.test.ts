import { openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartPostgres, startPostgres } from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrationsFolder } from '../src/accounts/migrations-folder.js';
import * as schema from '../src/accounts/schema.js';
import { endServices, type ServiceProcess, startService } from './support/service-process.js';

afterEach(endServices);

const unavailable = 'END Service temporarily unavailable. Please try again later.';
const pinKey = 'ab'.repeat(32);
const idIn = (reply: string) => /C[0-9A-Z]{8}/.exec(reply)?.[0] ?? '';

/** Texts of a session that accumulates, one per input. */
function textsOf(inputs: readonly string[]): string[] {
  const texts = [''];
  for (const input of inputs) texts.push(texts.at(-1) === '' ? input : `${texts.at(-1)}*${input}`);
  return texts;
}

async function play(service: ServiceProcess, sessionId: string, inputs: readonly string[]): Promise<string> {
  let reply = '';
  for (const text of textsOf(inputs)) reply = await service.hop(text, { sessionId });
  return reply;
}

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('accounts on Redis and Postgres', () => {
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  const open = (env: Readonly<Record<string, string>> = {}) =>
    startService({ REDIS_URL: redis.url, DATABASE_URL: database.url, PIN_ENCRYPTION_KEY: pinKey, ...env });
  beforeEach(async () => {
    [redis, database] = await Promise.all([freshRedis(), freshDatabase()]);
  });
  afterEach(async () => {
    await endServices();
    await Promise.all([redis.drop(), database.drop()]);
  });

  it('leave a PIN, and a text that holds one, nowhere: log, Redis, Postgres, operator routes, metrics', async () => {
    const service = await open({ LOG_LEVEL: 'trace' });
    const [pin, newPin, wrongPin] = ['83059', '60748', '71946'];
    const seen: string[] = [];
    const watch = async (inputs: readonly string[], sessionId: string) => {
      let reply = '';
      for (const text of textsOf(inputs)) {
        reply = await service.hop(text, { sessionId });
        const [debug, sessions, metrics] = await Promise.all([
          fetch(`${service.base}/api/ussd/debug/${sessionId}`).then((each) => each.text()),
          fetch(`${service.base}/api/ussd/sessions`).then((each) => each.text()),
          fetch(`${service.base}/metrics`).then((each) => each.text()),
        ]);
        seen.push(debug, sessions, metrics, ...(await everythingInRedis(redis.url)));
      }
      return reply;
    };
    const id = idIn(await watch(['2', '2', 'Amina Otieno', '00', pin, wrongPin, pin, pin], 'sign-up'));
    const changed = await watch(['2', '1', id, wrongPin, pin, '2', pin, newPin, newPin], 'log-in');
    expect(changed).toMatch(/^CON Your PIN is changed\./);
    seen.push(...(await everythingInPostgres(database.url)), service.output());
    expect(seen.join('\n')).toContain(id);
    for (const secret of [pin, newPin, wrongPin]) {
      // Not as a part of a longer number, such as a time.
      expect(seen.filter((text) => new RegExp(`(?<![0-9.])${secret}(?![0-9])`).test(text))).toEqual([]);
    }
    expect(service.output()).not.toContain('260971230567');
    expect(service.output()).not.toContain('Amina');
  }, 60_000);

  it('go on in another process after a kill between any two hops, with one effect each', async () => {
    let service = await open();
    const hop = async (text: string, sessionId: string) => {
      const reply = await service.hop(text, { sessionId });
      await service.end('SIGKILL');
      service = await open();
      expect(await service.hop(text, { sessionId })).toBe(reply);
      return reply;
    };
    let reply = '';
    for (const text of textsOf(['2', '2', 'Amina', '00', '90210', '90210'])) reply = await hop(text, 'killed');
    const id = idIn(reply);
    for (const text of textsOf(['2', '1', id, '11112', '90210', '1'])) reply = await hop(text, 'killed-again');
    expect(reply).toContain(`Customer ID: ${id}`);
    expect(await countCustomers(database.url)).toBe(1);
  }, 120_000);

  it('are the same from two processes that take turns, and hold the lock over both and over a restart', async () => {
    const services = await Promise.all([open(), open()]);
    const alternate = async (sessionId: string, inputs: readonly string[]) => {
      let reply = '';
      for (const [index, text] of textsOf(inputs).entries()) {
        reply = await (services[index % 2] ?? services[0]).hop(text, { sessionId });
      }
      return reply;
    };
    const id = idIn(await alternate('both', ['2', '2', 'Amina', '00', '90210', '90210']));
    expect(await alternate('right', ['2', '1', id, '90210'])).toMatch(/^CON Welcome, Amina!/);
    expect(await alternate('wrong', ['2', '1', id, '11112', '11113', '11114'])).toContain('Locked');
    await endServices();
    expect(await play(await open(), 'after', ['2', '1', id, '90210'])).toContain('Locked');
  }, 60_000);

  it('spend at most three of thirty guesses that arrive together at two processes', async () => {
    const services = await Promise.all([open(), open()]);
    const id = idIn(await play(services[0], 'sign-up', ['2', '2', 'Amina', '00', '90210', '90210']));
    const guesses = Array.from({ length: 30 }, (_, index) => ({
      caller: { sessionId: `guess-${index}`, phoneNumber: `+2547000000${10 + index}` },
      service: services[index % 2] ?? services[0],
      texts: textsOf(['2', '1', id, String(10_020 + index * 7)]),
    }));
    await Promise.all(
      guesses.map(async ({ caller, service, texts }) => {
        for (const text of texts.slice(0, -1)) await service.hop(text, caller);
      }),
    );
    const replies = await Promise.all(
      guesses.map(({ caller, service, texts }) => service.hop(texts.at(-1) ?? '', caller)),
    );
    expect(replies.filter((reply) => reply.includes('Attempts left')).length).toBe(2);
    expect(replies.filter((reply) => reply.includes('Locked')).length).toBe(28);
  }, 60_000);
});

describe.skipIf(!canStartPostgres)('with Postgres away', () => {
  it('an account is refused for now, and the same hop creates it once Postgres is back', async () => {
    const server = await startPostgres();
    try {
      const service = await startService({ DATABASE_URL: server.url });
      await play(service, 'away', ['2', '2', 'Amina', '00', '90210']);
      await server.kill();
      const last = textsOf(['2', '2', 'Amina', '00', '90210', '90210']).at(-1) ?? '';
      expect(await service.hop(last, { sessionId: 'away' })).toBe(unavailable);
      expect(await play(service, 'menus', ['1', '2'])).toMatch(/free/);
      await server.restart();
      await expect
        .poll(() => service.hop(last, { sessionId: 'away' }), { timeout: 20_000, interval: 200 })
        .toMatch(/^CON Account created successfully!/);
      expect(await countCustomers(server.url)).toBe(1);
    } finally {
      await server.remove();
    }
  }, 60_000);
});

async function everythingInRedis(url: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map(async (key) => JSON.stringify(await read(redis, key))));
    return [...keys, ...values];
  } finally {
    redis.disconnect();
  }
}

async function read(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'string') return redis.get(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'zset') return redis.zrange(key, '0', '-1');
  if (type === 'stream') return redis.xrange(key, '-', '+');
  return type === 'none' ? undefined : Promise.reject(new Error(`what is a ${type}?`));
}

async function onPostgres<Result>(
  url: string,
  work: (rowsOf: (query: ReturnType<typeof sql>) => Promise<Record<string, unknown>[]>) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const database = await openDatabase({ url, dataDir: '', schema, migrationsFolder, logger });
  try {
    return await work(async (query) => (await database.db.execute(query)) as Record<string, unknown>[]);
  } finally {
    await database.close();
  }
}

function everythingInPostgres(url: string): Promise<string[]> {
  return onPostgres(url, async (rowsOf) => {
    const tables = await rowsOf(sql`select table_name from information_schema.tables where table_schema = 'public'`);
    const names = tables.map(({ table_name: table }) => String(table));
    const rows = await Promise.all(names.map((name) => rowsOf(sql`select * from ${sql.identifier(name)}`)));
    return rows.flat().map((row) => JSON.stringify(row));
  });
}

async function countCustomers(url: string): Promise<number> {
  return (await onPostgres(url, (rowsOf) => rowsOf(sql`select id from customers`))).length;
}
