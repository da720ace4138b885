/**
 * What each thing that the services keep in Redis takes there, beside what the page for operators says. Fails where that is
 * off by more than a quarter, and where one of the two has something that the other lacks.
 */
import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { redisRateLimitStore } from '@mlango/service-kit/rate-limit';
import { key, openRedis } from '@mlango/service-kit/redis';
import { redisReplayStore } from '@mlango/ucan-auth/redis-replay-store';
import { redisRevocationStore } from '@mlango/ucan-auth/redis-revocation-store';
import { chatSizes } from './chat-sizes.js';
import { startOwnRedis } from './own-redis.js';
import { phoneSizes } from './phone-sizes.js';
import { printTable } from './print-table.js';
import { RedisGauge } from './redis-gauge.js';
import { documentedSizes } from './size-table.js';

const toleratedShare = 0.25;
const count = 12_000;
const limitMs = 600_000;

const redis = await startOwnRedis();
if (redis === undefined) throw new Error('there is no Redis on this machine');
const gauge = new RedisGauge(redis.url);
try {
  const documented = documentedSizes();
  const measured = new Map([
    ...(await commonSizes()),
    ['followed_session', await channelSize(redis.url)] as const,
    ...(await phoneSizes(gauge, redis.url)),
    ...(await chatSizes(gauge, redis.url)),
  ]);
  const rows = [...new Set([...documented.keys(), ...measured.keys()])].map((name) => {
    const [said = Number.NaN, is = Number.NaN] = [documented.get(name), measured.get(name)];
    const isRight = Math.abs(is / said - 1) <= toleratedShare;
    if (!isRight) process.exitCode = 1;
    return [name, is.toFixed(0), said.toFixed(0), (is / said).toFixed(2), isRight ? 'yes' : 'NO'];
  });
  printTable(['what', 'bytes measured', 'bytes documented', 'ratio', 'within a quarter'], rows);
} finally {
  gauge.close();
  await redis.stop();
}

async function commonSizes(): Promise<[name: string, bytes: number][]> {
  const each = (act: (index: number) => Promise<unknown>) =>
    gauge.bytesEach(count, async () => {
      for (let start = 0; start < count; start += 500)
        await Promise.all(Array.from({ length: 500 }, (_, index) => act(start + index)));
    });
  const cid = (index: number) => `bafyrei${String(index).padStart(52, 'x')}`;
  const did = (index: number) => `did:key:z6Mk${String(index).padStart(44, 'x')}`;
  const expiresAt = Math.floor((Date.now() + limitMs) / 1000);
  const counters = redisRateLimitStore(gauge.client, { service: 'oracle-api' });
  const used = redisReplayStore(gauge.client, { prefix: 'proto-gateway:ucan' });
  const revoked = redisRevocationStore(gauge.client, { prefix: 'proto-gateway:ucan' });
  return [
    ['counter', await each((index) => counters.hit(did(index), limitMs))],
    ['used_token', await each((index) => used.claim(cid(index), expiresAt))],
    ['revocation', await each((index) => revoked.revoke({ cid: cid(index), issuer: did(index), expiresAt }))],
  ];
}

/** Bytes that a channel takes for the sockets of one session, heard by one replica. */
async function channelSize(url: string): Promise<number> {
  const logger = createLogger({ service: 'bench', level: 'warn' });
  const connection = await openRedis({ url, logger, connectionName: 'bench' });
  const subscriber = connection.subscriber('sizes');
  const heard = (name: string) =>
    subscriber.listen(key('oracle-api', name, 'sockets'), () => undefined).within(limitMs);
  await heard('first');
  const bytes = await gauge.bytesEach(count, async () => {
    await Promise.all(Array.from({ length: count }, () => heard(randomUUID())));
  });
  await connection.close();
  return bytes;
}
