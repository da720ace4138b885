import { startMockNode } from '@mlango/mock-node/server';
import { redisUrl } from '@mlango/test-services/real-redis';
import { mintDelegation, mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configuredApp } from '../support/configured-app.js';

const PARAMS = '/proto/token/params';
const gateway = signerFromSeed('01'.repeat(32));
const client = signerFromSeed('02'.repeat(32));
const QUERY = { can: 'proto/query', with: gateway.did } as const;

const show = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
const grant = (from: typeof gateway, to: typeof gateway) =>
  mintDelegation({ signer: from, audience: to.did, capabilities: [QUERY], proofs: [] });
const invoke = (signer: typeof gateway, proofs: string[] = []) =>
  mintInvocation({ signer, audience: gateway.did, capability: QUERY, proofs });

describe.skipIf(redisUrl === undefined)('replicas of a gateway with UCAN invocations', () => {
  it('share revocations and used tokens through Redis', async () => {
    const node = await startMockNode();
    onTestFinished(() => node.close());
    const env = {
      GATEWAY_AUTH: 'ucan',
      GATEWAY_DID: gateway.did,
      REDIS_URL: redisUrl ?? '',
      GRPC_TARGETS: node.address,
    };
    const start = async () => {
      const app = await configuredApp({ ...env, UCAN_SINGLE_USE: 'true' });
      return { app, close: () => app.close() };
    };
    const [one, two] = [await start(), await start()];
    try {
      const input = await grant(gateway, client);
      const send = async ({ app }: typeof one, token: string) =>
        (await app.inject({ url: PARAMS, headers: show(token) })).statusCode;
      const token = await invoke(client, [input]);
      expect([await send(one, token), await send(two, token)]).toEqual([200, 403]);
      const revocation = await mintRevocation({ signer: gateway, audience: gateway.did, token: input });
      const post = { method: 'POST', url: '/revocations', headers: show(await invoke(gateway)) } as const;
      expect((await one.app.inject({ ...post, payload: { token: revocation } })).statusCode).toBe(204);
      expect(await send(two, await invoke(client, [input]))).toBe(403);
    } finally {
      await one.close();
      await two.close();
    }
  });
});
