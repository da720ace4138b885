import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@mlango/service-kit/logging';
import { allowance, memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { lookupPools } from '@mlango/ucan-auth/did-resolver';
import { mintDelegation, mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, expect, it } from 'vitest';
import { openAccess } from '../../src/access/open-access.js';
import { readConfig } from '../../src/config.js';
import { configuredApp } from '../support/configured-app.js';
import { expectError, gatewayOnNode } from '../support/gateway-on-node.js';

const { withApp } = gatewayOnNode();
const PARAMS = '/proto/token/params';
const gateway = signerFromSeed('01'.repeat(32));
const client = signerFromSeed('02'.repeat(32));
const friend = signerFromSeed('03'.repeat(32));
const stranger = signerFromSeed('04'.repeat(32));
const logger = createLogger({ service: 'test', level: 'silent' });
const QUERY = { can: 'proto/query', with: gateway.did } as const;

const perMinute = (name: string, max: number) =>
  allowance({ store: memoryRateLimitStore(), name, max, windowMs: 60_000 });
const allowances = () => ({
  pools: lookupPools(),
  lookUps: perMinute('look-ups', 3),
  revoking: { ofAddress: perMinute('revocations', 5), ofIssuer: perMinute('revocations-by', 2) },
});
function accessSettings(env: Record<string, string>) {
  const { access, http } = readConfig({ GATEWAY_AUTH: 'ucan', GATEWAY_DID: gateway.did, ...env });
  return { ...access, NODE_ENV: http.NODE_ENV };
}
const accessWith = (env: Record<string, string> = {}) =>
  openAccess(accessSettings(env), undefined, allowances(), logger).access;
const show = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
const grant = (from: typeof gateway, to: typeof gateway, proofs: string[] = [], can = 'proto/query') =>
  mintDelegation({ signer: from, audience: to.did, capabilities: [{ ...QUERY, can }], proofs });
const invoke = (signer: typeof gateway, proofs: string[] = [], more: object = {}) =>
  mintInvocation({ signer, audience: gateway.did, capability: QUERY, proofs, ...more });

describe('a gateway with UCAN invocations', () => {
  it('admits its delegates, their delegates, and itself', async () => {
    const input = await grant(gateway, client, [], '*');
    const passedOn = await grant(client, friend, [input]);
    const tokens = [await invoke(client, [input]), await invoke(friend, [passedOn]), await invoke(gateway)];
    await withApp({ access: accessWith() }, async (app) => {
      for (const token of tokens) {
        for (let count = 0; count < 2; count += 1) {
          expect((await app.inject({ url: PARAMS, headers: show(token) })).statusCode).toBe(200);
        }
      }
    });
  });

  it('is 401 with a challenge without an invocation', () =>
    withApp({ access: accessWith() }, async (app) => {
      for (const headers of [{}, { 'x-auth-type': 'ucan' }, { authorization: 'Bearer x' }]) {
        const reply = await app.inject({ url: PARAMS, headers });
        expectError(reply, 401, 16);
        expect(reply.headers['www-authenticate']).toBe('Bearer realm="gateway"');
      }
    }));

  it('describes how to present and revoke a token', () =>
    withApp({ access: accessWith() }, async (app) => {
      const document = (await app.inject('/openapi.json')).json();
      expect(document.security).toEqual([{ ucan: [], authType: [] }]);
      expect(document.paths).toHaveProperty(['/revocations', 'post']);
    }));

  it('is 403, with one text, for an invalid or insufficient invocation', async () => {
    const input = await grant(gateway, client);
    const tokens = {
      'no token': 'x',
      'without a grant': await invoke(stranger),
      'granted to another DID': await invoke(stranger, [input]),
      'granted by a DID without rights': await invoke(client, [await grant(stranger, client)]),
      'granted for something else': await invoke(client, [await grant(gateway, client, [], 'proto/other')]),
      'for another service': await mintInvocation({
        signer: client,
        audience: stranger.did,
        capability: QUERY,
        proofs: [input],
      }),
      'of another ability': await invoke(client, [input], { capability: { ...QUERY, can: '*' } }),
      expired: await invoke(client, [input], { expiresAt: 1 }),
      // Far beyond the limit: the remaining time counts, and some of it passes during the test.
      'good for too long': await invoke(client, [input], { lifetimeSeconds: 3600 }),
      'a delegation': input,
    };
    await withApp({ access: accessWith() }, async (app) => {
      for (const [name, token] of Object.entries(tokens)) {
        const reply = await app.inject({ url: PARAMS, headers: show(token) });
        expect([name, reply.statusCode]).toEqual([name, 403]);
        expect(expectError(reply, 403, 7)).toBe('This UCAN invocation does not allow queries here');
      }
    });
  });

  it('revokes a token and its dependants at its issuer’s request', async () => {
    const input = await grant(gateway, client);
    const token = await invoke(client, [input]);
    await withApp({ access: accessWith() }, async (app) => {
      const post = (payload: object) =>
        app.inject({ method: 'POST', url: '/revocations', headers: show(token), payload });
      const revoke = async (signer: typeof gateway) => ({
        token: await mintRevocation({ signer, audience: gateway.did, token: input }),
      });
      expect(expectError(await post({ token: 'x' }), 400, 3)).toBe('body.token: is not a UCAN that can be read');
      expect(expectError(await post({ token }), 400, 3)).toContain(
        'is not a token by which its signer revokes another one',
      );
      expectError(await post({}), 400, 3);
      expect(
        (await app.inject({ method: 'POST', url: '/revocations', payload: await revoke(gateway) })).statusCode,
      ).toBe(401);
      expect((await post(await revoke(stranger))).statusCode).toBe(204);
      expect((await app.inject({ url: PARAMS, headers: show(token) })).statusCode).toBe(200);
      expect((await post(await revoke(gateway))).statusCode).toBe(204);
      expect((await app.inject({ url: PARAMS, headers: show(token) })).statusCode).toBe(403);
    });
  });

  it('limits revocations a minute by issuer and by address', async () => {
    const token = await invoke(gateway);
    await withApp({ access: accessWith() }, async (app) => {
      const statuses = [];
      for (const signer of [client, client, client, friend, friend, stranger]) {
        const payload = { token: await mintRevocation({ signer, audience: gateway.did, token }) };
        const reply = await app.inject({ method: 'POST', url: '/revocations', headers: show(token), payload });
        statuses.push(reply.statusCode);
        if (reply.statusCode === 429) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect(statuses).toEqual([204, 204, 429, 204, 204, 429]);
    });
  });

  it('admits each token once with single use', async () => {
    const token = await invoke(gateway);
    await withApp({ access: accessWith({ UCAN_SINGLE_USE: 'true' }) }, async (app) => {
      const send = async () => (await app.inject({ url: PARAMS, headers: show(token) })).statusCode;
      expect([await send(), await send()]).toEqual([200, 403]);
    });
  });

  it('admits all DIDs for a resource without an owner, limited by address', async () => {
    const capability = { can: 'proto/query', with: 'ixo:proto' };
    const tokens = [await invoke(client, [], { capability }), await invoke(stranger, [], { capability })];
    const rateLimit = { max: 1, windowMs: 60_000, store: memoryRateLimitStore() };
    await withApp({ access: accessWith({ UCAN_RESOURCE: 'ixo:proto' }), rateLimit }, async (app) => {
      const statuses = [];
      for (const token of tokens) statuses.push((await app.inject({ url: PARAMS, headers: show(token) })).statusCode);
      expect(statuses).toEqual([200, 429]);
    });
  });

  it('counts all callers of one grant together', async () => {
    const input = await grant(gateway, client);
    const tokens = [
      await invoke(client, [input]),
      await invoke(friend, [await grant(client, friend, [input])]),
      await invoke(gateway),
    ];
    const rateLimit = { max: 1, windowMs: 60_000, store: memoryRateLimitStore() };
    await withApp({ access: accessWith(), rateLimit }, async (app) => {
      const statuses = [];
      for (const token of tokens) statuses.push((await app.inject({ url: PARAMS, headers: show(token) })).statusCode);
      expect(statuses).toEqual([200, 429, 200]);
    });
  });

  it('limits key look-ups a minute by address, with 429', async () => {
    const indexer = createServer((_, reply) => reply.end(JSON.stringify({ data: { iids: { nodes: [] } } })));
    let requested = 0;
    indexer.on('request', () => {
      requested += 1;
    });
    await new Promise<void>((resolve) => indexer.listen(0, '127.0.0.1', resolve));
    const { port } = indexer.address() as AddressInfo;
    const capability = { can: 'proto/query', with: 'ixo:proto' };
    const opened = openAccess(
      accessSettings({ UCAN_RESOURCE: 'ixo:proto', BLOCKSYNC_GRAPHQL_URL: `http://127.0.0.1:${port}/` }),
      undefined,
      allowances(),
      logger,
    );
    await withApp({ access: opened.access }, async (app) => {
      const statuses = [];
      for (let index = 0; index < 6; index += 1) {
        const nobody = signerFromSeed('04'.repeat(32), `did:ixo:nobody${index}`);
        const reply = await app.inject({ url: PARAMS, headers: show(await invoke(nobody, [], { capability })) });
        statuses.push(reply.statusCode);
        if (reply.statusCode === 429) {
          expectError(reply, 429, 8);
          expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
        }
      }
      expect([statuses, requested]).toEqual([[403, 403, 403, 429, 429, 429], 3]);
      expect(
        (await app.inject({ url: PARAMS, headers: show(await invoke(client, [], { capability })) })).statusCode,
      ).toBe(200);
    });
    await opened.close();
    await new Promise((resolve) => indexer.close(resolve));
  });

  it('is 503 while revocations cannot be checked, never open', async () => {
    const env = { GATEWAY_AUTH: 'ucan', GATEWAY_DID: gateway.did, REDIS_URL: 'redis://127.0.0.1:1' };
    const app = await configuredApp(env);
    const reply = await app.inject({ url: PARAMS, headers: show(await invoke(gateway)) });
    expectError(reply, 503, 14);
    expect(reply.headers['retry-after']).toBe('2');
    expect((await app.inject('/health')).statusCode).toBe(200);
    await app.close();
  });
});
