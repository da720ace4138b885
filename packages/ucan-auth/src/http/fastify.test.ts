import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createUcanAuth, type UcanAuthOptions } from '../auth.js';
import { mintDelegation, mintInvocation, signerFromSeed } from '../mint/minting.js';
import { INVALID_TEXT, MISSING_TEXT } from './auth-outcome.js';
import { callerOf, ucanAuthPlugin } from './fastify.js';

const ORACLE = 'did:ixo:entity:oracle';
const alice = signerFromSeed('a1'.repeat(32));

async function appWith(options: Partial<UcanAuthOptions> = {}, toError?: (failure: { message: string }) => Error) {
  const app = Fastify();
  const auth = createUcanAuth({ audiences: [ORACLE], ...options });
  await app.register(ucanAuthPlugin, toError === undefined ? { auth } : { auth, toError });
  app.get('/open', async (request) => ({ caller: request.caller }));
  app.get('/me', { onRequest: app.requireUcan }, async (request) => ({ did: callerOf(request).did }));
  app.get('/forgot', async (request) => ({ did: callerOf(request).did }));
  return app;
}

const headersFor = (invocation: string) => ({ authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' });

describe('ucanAuthPlugin', () => {
  it('sets the caller of a protected route', async () => {
    const app = await appWith();
    const token = await mintInvocation({ signer: alice, audience: ORACLE });
    const reply = await app.inject({ url: '/me', headers: headersFor(token) });
    expect([reply.statusCode, reply.json()]).toEqual([200, { did: alice.did }]);
  });

  it('answers 401 with the fixed texts only', async () => {
    const app = await appWith();
    const missing = await app.inject({ url: '/me' });
    expect(missing.json()).toEqual({ statusCode: 401, error: 'Unauthorized', message: MISSING_TEXT });
    expect(missing.headers['www-authenticate']).toBe('Bearer');
    const invalid = await app.inject({ url: '/me', headers: headersFor('nonsense') });
    expect(invalid.json()).toEqual({ statusCode: 401, error: 'Unauthorized', message: INVALID_TEXT });
  });

  it('does not read the headers of a public route', async () => {
    const app = Fastify();
    await app.register(ucanAuthPlugin, {
      auth: { request: () => Promise.reject(new Error('headers were read')) },
    });
    app.get('/open', async (request) => ({ caller: request.caller }));
    const reply = await app.inject({ url: '/open', headers: headersFor('nonsense') });
    expect([reply.statusCode, reply.json()]).toEqual([200, { caller: null }]);
  });

  it('answers 503 with Retry-After when the issuer cannot be looked up', async () => {
    const ixo = { method: 'ixo', resolve: async () => ({ ok: false, code: 'unavailable' }) as const, forget: () => {} };
    const app = await appWith({ resolvers: [ixo] });
    const signer = signerFromSeed('a2'.repeat(32), 'did:ixo:someone');
    const token = await mintInvocation({ signer, audience: ORACLE });
    const reply = await app.inject({ url: '/me', headers: headersFor(token) });
    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
  });

  it('throws the error of `toError`', async () => {
    const app = await appWith({}, (failure) =>
      Object.assign(new Error(`own: ${failure.message}`), { statusCode: 418 }),
    );
    const reply = await app.inject({ url: '/me' });
    expect([reply.statusCode, reply.json().message]).toEqual([418, `own: ${MISSING_TEXT}`]);
  });

  it('throws if a route uses the caller without the hook', async () => {
    const app = await appWith();
    const token = await mintDelegation({
      signer: alice,
      audience: ORACLE,
      capabilities: [{ can: '*', with: 'ixo:oracle' }],
    });
    const reply = await app.inject({ url: '/forgot', headers: { 'x-ucan-delegation': token } });
    expect(reply.statusCode).toBe(500);
  });
});
