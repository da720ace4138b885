import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis } from '@mlango/service-kit/redis';
import { fillRedis } from '@mlango/test-services/full-redis';
import { canStartRedis, type RedisServer, startRedis } from '@mlango/test-services/servers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { redisReplyStore } from '../../src/cache/redis-reply-store.js';
import { drivenChain } from '../support/driven-chain.js';
import { poolOver, testApp } from '../support/test-app.js';
import { watchRules } from '../support/watched-gateway.js';

const PARAMS = '/proto/token/params';
const logger = createLogger({ service: 'test', level: 'silent' });

describe.skipIf(!canStartRedis)('replicas on one Redis', { timeout: 60_000 }, () => {
  let redis: RedisServer;
  let chain: ReturnType<typeof drivenChain>;
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    redis = await startRedis();
  });
  beforeEach(async () => {
    await redis.restart();
    chain = drivenChain('driven-1');
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(() => redis.remove());

  async function open() {
    const connection = await openRedis({ url: redis.url, logger, connectionName: 'test', commandTimeoutMs: 1000 });
    closers.push(() => connection.close());
    return connection.client;
  }

  async function replica(of = chain, limitBytes = 10_000_000, ttlMs = 60_000): Promise<HttpApp> {
    const sharedReplies = redisReplyStore(await open(), { service: 'proto-gateway', limitBytes, ttlMs });
    const app = await testApp(
      poolOver(() => of.channel),
      { watch: { blocks: of.blocks, ...watchRules() }, sharedReplies },
    );
    closers.push(() => app.close());
    await expect.poll(async () => (await app.inject('/proto/blocks')).json().chain_id).not.toBeNull();
    return app;
  }

  const send = async (app: HttpApp, url = `${PARAMS}?height=90`) => (await app.inject(url)).statusCode;
  const lookups = async (app: HttpApp) =>
    Object.fromEntries(
      [
        ...(await app.inject('/metrics')).body.matchAll(
          /^proto_gateway_shared_cache_lookups_total\{.*result="(\w+)".*\} (\d+)$/gm,
        ),
      ].map(([, result = '', count]) => [result, Number(count)]),
    );

  it('call the node once for a reply at a height', async () => {
    const [one, other] = [await replica(), await replica()];
    const first = await one.inject(`${PARAMS}?height=100`);
    await expect.poll(async () => send(other, `${PARAMS}?height=100`)).toBe(200);
    const second = await other.inject(`${PARAMS}?height=100`);
    expect(second.body).toBe(first.body);
    expect(second.headers['x-cosmos-block-height']).toBe('100');
    await send(one, `${PARAMS}?height=100`);
    expect(chain.requested).toHaveLength(1);
    expect(await lookups(one)).toEqual({ miss: 1, hit: 1 });
    // The first of two may have arrived while the reply was being stored.
    const { hit = 0, joined = 0 } = await lookups(other);
    expect(hit + joined).toBe(2);
  });

  it('wait for a running call at the latest block, and call again the next time', async () => {
    const replicas = await Promise.all([replica(), replica(), replica()]);
    let go = (): void => {};
    chain.hold(new Promise((resolve) => (go = resolve)));
    // The request is sent when it is awaited.
    const requested = replicas.map(async (app) => await app.inject(PARAMS));
    const client = await open();
    await expect.poll(() => client.keys('*:waiting:*')).toHaveLength(1);
    go();
    const replies = await Promise.all(requested);
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(chain.requested).toHaveLength(1);
    await expect.poll(() => client.keys('*:asking:*')).toEqual([]);
    const [app] = replicas;
    chain.newBlock(9);
    expect((await app?.inject(PARAMS))?.json()).toEqual({ params: { ixo1155_contract_code: '9' } });
    expect(chain.requested).toHaveLength(2);
  });

  it('wait no longer than a second for a call without a reply', async () => {
    const app = await replica();
    const client = await open();
    let go = (): void => {};
    chain.hold(new Promise((resolve) => (go = resolve)));
    const dead = await replica();
    const late = send(dead, PARAMS);
    await expect.poll(() => client.keys('*:asking:*')).toHaveLength(1);
    // Only a call that has reached the node is blocked there.
    await expect.poll(() => chain.requested).toHaveLength(1);
    chain.hold(Promise.resolve());
    expect(await send(app, PARAMS)).toBe(200);
    expect(chain.requested).toHaveLength(2);
    go();
    expect(await late).toBe(200);
  });

  it('call the node while Redis is killed or silent, and share again when it returns', async () => {
    const [one, other] = [await replica(), await replica()];
    expect(await send(one)).toBe(200);
    await redis.kill();
    for (const app of [one, other]) expect([await send(app), await send(app)]).toEqual([200, 200]);
    expect(chain.requested).toHaveLength(5);
    await redis.restart();
    await expect
      .poll(
        async () => {
          await send(one, `${PARAMS}?height=91`);
          await send(other, `${PARAMS}?height=91`);
          return (await lookups(other))['hit'] ?? 0;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);
    redis.pause();
    expect(await send(one, `${PARAMS}?height=92`)).toBe(200);
    redis.resume();
  });

  it('ignore corrupt values', async () => {
    const app = await replica();
    const client = await open();
    await send(app);
    await expect.poll(() => client.keys('*:value:*')).toHaveLength(1);
    const [at = ''] = await client.keys('*:value:*');
    for (const wrong of ['', 'x', 'nothing like it', Buffer.alloc(100)]) {
      await client.set(at, wrong);
      expect((await app.inject(`${PARAMS}?height=90`)).json()).toEqual({ params: { ixo1155_contract_code: '0' } });
    }
    expect(await lookups(app)).toMatchObject({ corrupt: 4, miss: 5 });
  });

  it('store large replies compressed, within the limit of bytes', async () => {
    const app = await replica(chain, 16 * 20_000);
    const client = await open();
    chain.widen(200_000);
    for (let id = 0; id < 10; id += 1) await send(app, `/proto/entity/e${id}?height=90`);
    await expect.poll(async () => (await client.keys('*:value:*')).length).toBe(10);
    for (const at of await client.keys('*:value:*')) expect(await client.strlen(at)).toBeLessThan(2000);
    chain.widen(0);
    for (let height = 1; height <= 3000; height += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          send(app, `${PARAMS}?height=${((height + index) % 100) + 1}&x=${height}`),
        ),
      );
    }
    const totals = await client.keys('*:bytes');
    for (const at of totals) expect(Number(await client.get(at))).toBeLessThanOrEqual(20_000);
    const values = await client.keys('*:value:*');
    let indexed = 0;
    for (const at of await client.keys('*:index')) indexed += await client.zcard(at);
    expect(indexed).toBe(values.length);
  });

  it('evict the oldest first when a part is full', async () => {
    const client = await open();
    const store = redisReplyStore(client, { service: 'proto-gateway', limitBytes: 16 * 1000, ttlMs: 60_000 });
    const stored = async () => (await client.keys('*:value:*')).length;
    for (let index = 0; index < 400; index += 1) await store.save(`call ${index}`, Buffer.alloc(100));
    expect(await stored()).toBeLessThanOrEqual(16 * 2);
    expect(await store.find('call 399')).toEqual(Buffer.alloc(100));
    expect(await store.find('call 0')).toBeUndefined();
    await store.save('too large', Buffer.alloc(1000));
    expect(await store.find('too large')).toBeUndefined();
  });

  it('call the node while Redis is full, and share again afterwards', async () => {
    const [one, other] = [await replica(), await replica()];
    const requested = () => chain.requested.length;
    await send(one);
    await expect.poll(async () => (await (await open()).keys('*:value:*')).length).toBe(1);
    const { empty } = await fillRedis(redis.url);
    // The stored reply is still available.
    expect([await send(other), requested()]).toEqual([200, 1]);
    const burst = [one, other].flatMap((app) => [
      ...[91, 92, 93].map((height) => send(app, `${PARAMS}?height=${height}`)),
      send(app, PARAMS),
    ]);
    expect(await Promise.all(burst)).toEqual(Array(8).fill(200));
    expect(requested()).toBe(9);
    expect((await lookups(one))['unavailable']).toBeGreaterThan(0);
    expect((await (await open()).keys('*:value:*')).length).toBe(1);
    await empty();
    // The store is skipped for a moment after a failure.
    let height = 0;
    await expect
      .poll(async () => {
        height += 1;
        await send(one, `${PARAMS}?height=${height}`);
        const before = requested();
        await send(other, `${PARAMS}?height=${height}`);
        return requested() - before;
      })
      .toBe(0);
  });

  it('of two chains never share replies', async () => {
    const two = drivenChain('driven-2');
    const [one, other] = [await replica(), await replica(two)];
    await send(one);
    await send(other);
    expect([chain.requested.length, two.requested.length]).toEqual([1, 1]);
  });
});
