import { startMockNode } from '@mlango/mock-node/server';
import { canStartRedis, startRedisCluster } from '@mlango/test-services/servers';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configuredApp } from '../support/configured-app.js';

const gateway = signerFromSeed('01'.repeat(32));
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const newToken = () =>
  mintInvocation({ signer: gateway, audience: gateway.did, capability: { can: 'proto/query', with: gateway.did } });

describe.skipIf(!canStartRedis)('queries while a master of the cluster fails', { timeout: 90_000 }, () => {
  it('are served, with single-use tokens after its replica has taken over, and no token is used twice', async () => {
    const [cluster, node] = await Promise.all([startRedisCluster({ nodeTimeoutMs: 1_500 }), startMockNode()]);
    closing.push(
      () => cluster.remove(),
      () => node.close(),
    );
    const replica = async (env: Record<string, string> = {}) => {
      const shared = { REDIS_URL: cluster.url, PROTO_SHARED_CACHE_BYTES: '1000000', RATE_LIMIT_MAX: '100000' };
      const app = await configuredApp({ GRPC_TARGETS: node.address, ...shared, ...env });
      closing.push(() => app.close());
      const isReady = async () => (await app.inject('/health/ready')).statusCode === 200;
      await vi.waitFor(async () => expect(await isReady()).toBe(true), 10_000);
      return { app, isReady };
    };
    type Replica = Awaited<ReturnType<typeof replica>>;
    const guarded = { GATEWAY_AUTH: 'ucan', GATEWAY_DID: gateway.did, UCAN_SINGLE_USE: 'true' };
    const [open, one, other] = [await replica(), await replica(guarded), await replica(guarded)];
    const send = async ({ app }: Replica, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
      const reply = await app.inject({ url: '/proto/token/params', headers });
      return { status: reply.statusCode, retryAfter: reply.headers['retry-after'] };
    };
    const statusOf = async (of: Replica, token: string) => (await send(of, token)).status;

    const used = await Promise.all(Array.from({ length: 24 }, newToken));
    for (const token of used) expect(await statusOf(one, token)).toBe(200);
    await cluster.replicated();
    await cluster.nodes[1]?.kill();
    // Until the replica of that master serves, and for some further queries.
    let servedInARow = 0;
    const refusals: unknown[] = [];
    await vi.waitFor(
      async () => {
        expect(await send(open)).toMatchObject({ status: 200 });
        const reply = await send(other, await newToken());
        servedInARow = reply.status === 200 ? servedInARow + 1 : 0;
        if (reply.status !== 200) refusals.push(reply);
        expect(servedInARow).toBe(30);
      },
      { timeout: 60_000, interval: 20 },
    );
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals)
      expect(refusal).toEqual({ status: 503, retryAfter: expect.stringMatching(/^[1-9]/) });
    // Tokens used before the failover are still marked as used.
    for (const token of used) expect(await statusOf(other, token)).toBe(403);
    for (const { isReady } of [open, one, other])
      await vi.waitFor(async () => expect(await isReady()).toBe(true), 10_000);
  });
});
