import { fillRedis } from '@mlango/test-services/full-redis';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterEach, describe, expect, it } from 'vitest';
import { configuredApp } from '../support/configured-app.js';

const gateway = signerFromSeed('01'.repeat(32));
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function gatewayOn(redisUrl: string, env: Record<string, string>) {
  const app = await configuredApp({ GRPC_TARGETS: '127.0.0.1:1', REDIS_URL: redisUrl, ...env });
  closing.push(() => app.close());
  const ready = async () => (await app.inject('/health/ready')).json().checks.redis;
  return { app, ready };
}

describe.skipIf(!canStartRedis)('a gateway with a full Redis', { timeout: 60_000 }, () => {
  it('reports it with single-use tokens, and recovers', async () => {
    const redis = await startRedis();
    closing.push(() => redis.remove());
    const ucan = { GATEWAY_AUTH: 'ucan', GATEWAY_DID: gateway.did };
    const once = await gatewayOn(redis.url, { ...ucan, UCAN_SINGLE_USE: 'true' });
    const many = await gatewayOn(redis.url, ucan);
    const open = await gatewayOn(redis.url, { RATE_LIMIT_MAX: '1' });
    const send = async ({ app }: typeof once) => {
      const capability = { can: 'proto/query', with: gateway.did } as const;
      const token = await mintInvocation({ signer: gateway, audience: gateway.did, capability });
      const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
      const reply = await app.inject({ url: '/proto/token/params', headers });
      return { status: reply.statusCode, message: reply.json().message, retryAfter: reply.headers['retry-after'] };
    };
    const refused = { status: 503, message: 'Service temporarily unavailable' };
    // There is no node: admitted requests get the 503 of a missing node.
    const served = { status: 503, message: expect.stringContaining('node') };
    expect(await send(once)).toMatchObject(served);

    const { empty } = await fillRedis(redis.url);
    const full = await send(once);
    expect(full).toMatchObject(refused);
    expect(Number(full.retryAfter)).toBeGreaterThan(0);
    expect(await send(many)).toMatchObject(served);
    expect([await once.ready(), await many.ready(), await open.ready()]).toEqual(['down', 'up', undefined]);
    const statuses = [await send(open), await send(open)].map(({ status }) => status);
    expect(statuses).toEqual([503, 429]);

    await empty();
    expect(await send(once)).toMatchObject(served);
    expect(await once.ready()).toBe('up');
  });
});
