import { type SharedRedis, startSharedRedis } from '@mlango/test-services/redis-users';
import { canStartRedis } from '@mlango/test-services/servers';
import { mintDelegation, mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuredApp } from '../support/configured-app.js';

const gateway = signerFromSeed('01'.repeat(32));
const client = signerFromSeed('02'.repeat(32));
const capability = { can: 'proto/query', with: gateway.did } as const;

describe.skipIf(!canStartRedis)('the query gateway on a Redis that others use as well', { timeout: 60_000 }, () => {
  let redis: SharedRedis;
  beforeAll(async () => {
    redis = await startSharedRedis();
  });
  afterAll(() => redis.remove());

  it('counts, uses tokens once and revokes them as its own user, with keys of its own prefix', async () => {
    const app = await configuredApp({
      GRPC_TARGETS: '127.0.0.1:1',
      REDIS_URL: redis.urlOf('mlango-gateway'),
      GATEWAY_AUTH: 'ucan',
      GATEWAY_DID: gateway.did,
      UCAN_SINGLE_USE: 'true',
    });
    const input = await mintDelegation({ signer: gateway, audience: client.did, capabilities: [capability] });
    const newToken = () => mintInvocation({ signer: client, audience: gateway.did, capability, proofs: [input] });
    const show = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
    const send = async (token: string) =>
      (await app.inject({ url: '/proto/token/params', headers: show(token) })).statusCode;
    const token = await newToken();
    // There is no node: an admitted request gets 503.
    expect([await send(token), await send(token)]).toEqual([503, 403]);
    const revoked = await app.inject({
      method: 'POST',
      url: '/revocations',
      headers: show(await newToken()),
      payload: { token: await mintRevocation({ signer: gateway, audience: gateway.did, token: input }) },
    });
    expect(revoked.statusCode).toBe(204);
    expect(await send(await newToken())).toBe(403);
    expect((await app.inject('/health/ready')).json().checks).toMatchObject({ redis: 'up' });
    await app.close();
    const keys = await redis.keys();
    expect(keys.filter((name) => !name.startsWith('proto-gateway:'))).toEqual([]);
    for (const kind of ['ucan:used:', 'ucan:{revoked}:', 'hits', 'probe'])
      expect(keys.some((name) => name.includes(kind))).toBe(true);
    expect(await redis.refusals()).toEqual([]);
  });
});
