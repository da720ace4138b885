import { randomUUID } from 'node:crypto';
import { failingOver, kindsThatFailOver } from '@mlango/test-services/failing-over';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis } from '@mlango/test-services/servers';
import { Cluster, Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisReplayStore, redisRevocationStore } from './redis-stores.js';
import { replayStoreContract, revocationStoreContract } from './token-stores.contract.js';

describe.skipIf(redisUrl === undefined)('with a real Redis', () => {
  let database: Awaited<ReturnType<typeof freshRedis>>;
  let redis: Redis;
  let replica: Redis;
  beforeAll(async () => {
    database = await freshRedis();
    [redis, replica] = [new Redis(database.url), new Redis(database.url)];
  });
  afterAll(async () => {
    redis.disconnect();
    replica.disconnect();
    await database.drop();
  });

  const clock = (nowSeconds: number) => ({ now: () => nowSeconds });
  const empty = async () => {
    await redis.flushdb();
    return redis;
  };
  revocationStoreContract(async (nowSeconds, quota) =>
    redisRevocationStore(await empty(), { ...clock(nowSeconds), ...quota }),
  );
  replayStoreContract(async (nowSeconds) => redisReplayStore(await empty(), clock(nowSeconds)));

  it('grants a claim to one replica', async () => {
    const [one, other] = [redisReplayStore(await empty()), redisReplayStore(replica)];
    const expiresAt = Date.now() / 1000 + 60;
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => (turn % 2 === 0 ? one : other).claim('bafyone', expiresAt)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('shares revocations among replicas, also after SCRIPT FLUSH', async () => {
    const store = redisRevocationStore(await empty());
    const revocation = { cid: 'bafyone', issuer: 'did:key:zA', expiresAt: Date.now() / 1000 + 60 };
    await redis.script('FLUSH');
    await store.revoke(revocation);
    expect(await redisRevocationStore(replica).isAnyRevoked([revocation])).toBe(true);
  });

  it('sets keys to expire soon after the token', async () => {
    await empty();
    const options = clock(1000);
    await redisReplayStore(redis, options).claim('bafyone', 1100);
    await redisRevocationStore(redis, options).revoke({ cid: 'bafyone', issuer: 'did:key:zA', expiresAt: 1100 });
    // The shared list stays, and drops entries as others are added.
    const keys = (await redis.keys('*')).filter((key) => !key.endsWith(':all'));
    const lives = await Promise.all(keys.map((key) => redis.ttl(key)));
    expect(lives).toHaveLength(3);
    for (const life of lives) expect(life > 100 && life <= 160).toBe(true);
  });

  it('rejects without a connection', async () => {
    const closed = new Redis(database.url, { enableOfflineQueue: false, retryStrategy: () => null });
    await closed.ping().catch(() => undefined);
    closed.disconnect();
    await expect(redisReplayStore(closed).claim('bafyone', 1)).rejects.toThrow();
    await expect(redisRevocationStore(closed).isAnyRevoked([{ cid: 'a', issuer: 'b' }])).rejects.toThrow();
  });
});

describe.skipIf(!canStartRedis).each(kindsThatFailOver)('on $kind', (kind) => {
  const opened = () => {
    const redis = failingOver(kind);
    let client: Redis | Cluster;
    beforeAll(() => {
      client = clientOf(redis.url());
      redis.held(client);
    });
    afterAll(() => client.disconnect());
    return () => client;
  };
  const fresh = (nowSeconds: number) => ({ prefix: `test-${randomUUID()}`, now: () => nowSeconds });

  describe('revocations', () => {
    const client = opened();
    revocationStoreContract(async (nowSeconds, quota) =>
      redisRevocationStore(client(), { ...fresh(nowSeconds), ...quota }),
    );
  });
  describe('used tokens', () => {
    const client = opened();
    replayStoreContract(async (nowSeconds) => redisReplayStore(client(), fresh(nowSeconds)));
  });
});

/** As a consumer of this package without the service kit creates one. */
function clientOf(url: string): Redis | Cluster {
  const { password, hostname, searchParams } = new URL(url.replaceAll(/,[^/]*/g, ''));
  const nodes = [...url.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => ({ host: hostname, port: Number(port) }));
  if (url.startsWith('redis+cluster')) return new Cluster(nodes, { redisOptions: { password } });
  const sentinelPassword = searchParams.get('sentinel_password') ?? '';
  return new Redis({ sentinels: nodes, name: 'mlango', password, sentinelPassword, failoverDetector: true });
}
