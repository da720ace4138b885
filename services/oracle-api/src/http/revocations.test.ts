import { allowance, memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { mintDelegation, mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { beforeAll, describe, expect, it } from 'vitest';
import { headersOf, oracle, testApp } from '../../test/app.fixture.js';

const signerOf = (letter: string) => signerFromSeed(Buffer.alloc(32, letter));
const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
const takeBack = (letter: string, token: string) =>
  mintRevocation({ signer: signerOf(letter), audience: oracle.did, token });

let asha: Record<string, string>;
beforeAll(async () => {
  asha = await headersOf('a');
});

async function revokingApp() {
  const { app } = await testApp({
    auth: createUcanAuth({ audiences: [oracle.did], revocations: memoryRevocationStore() }),
  });
  const revoke = async (token: unknown, headers = asha) =>
    app.inject({ method: 'POST', url: '/revocations', headers, payload: { token } as object });
  const statusWith = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/sessions', headers })).statusCode;
  return { app, revoke, statusWith };
}

describe('POST /revocations', () => {
  it('revokes an invocation, also for calls that presented it before', async () => {
    const { app, revoke, statusWith } = await revokingApp();
    const lost = await mintInvocation({ signer: signerOf('a'), audience: oracle.did });
    expect(await statusWith(bearer(lost))).toBe(200);
    const reply = await revoke(await takeBack('a', lost));
    expect([reply.statusCode, reply.json()]).toEqual([200, { ok: true }]);
    const refused = await app.inject({ url: '/sessions', headers: bearer(lost) });
    expect([refused.statusCode, refused.json().message]).toEqual([401, 'Invalid UCAN invocation']);
    expect(await statusWith(asha)).toBe(200);
    await app.close();
  });

  it('revokes a delegation used as a login, and the stored delegation', async () => {
    const { app, revoke, statusWith } = await revokingApp();
    const capabilities = [{ can: 'store/add', with: signerOf('a').did }] as const;
    const given = await mintDelegation({
      signer: signerOf('a'),
      audience: oracle.did,
      capabilities: [...capabilities],
    });
    await app.inject({ method: 'POST', url: '/delegation', headers: asha, payload: { raw: given } });
    expect(await statusWith({ 'x-ucan-delegation': given })).toBe(200);
    expect((await revoke(await takeBack('a', given))).statusCode).toBe(200);
    expect(await statusWith({ 'x-ucan-delegation': given })).toBe(401);
    const kept = await app.inject({ url: '/delegation', headers: asha });
    expect(kept.json()).toEqual({ authorized: false });
    await app.close();
  });

  it('answers 429 beyond the rate of revocations, and 409 beyond the stored maximum', async () => {
    const store = memoryRateLimitStore();
    const each = (name: string, max: number) => allowance({ store, name, max, windowMs: 60_000 });
    const revocations = memoryRevocationStore(undefined, { perIssuer: 1 });
    const revoking = { ofAddress: each('of-address', 100), ofIssuer: each('of-issuer', 2) };
    const { app } = await testApp({ auth: createUcanAuth({ audiences: [oracle.did], revocations, revoking }) });
    const replies = [];
    for (let count = 0; count < 3; count += 1) {
      const lost = await mintInvocation({ signer: signerOf('a'), audience: oracle.did });
      const payload = { token: await takeBack('a', lost) };
      replies.push(await app.inject({ method: 'POST', url: '/revocations', headers: asha, payload }));
    }
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 409, 429]);
    expect(replies[1]?.json()).toMatchObject({ statusCode: 409, message: expect.stringContaining('limit') });
    expect(Number(replies[2]?.headers['retry-after'])).toBeGreaterThan(0);
    await app.close();
  });

  it('refuses to revoke a token of another issuer', async () => {
    const { app, revoke, statusWith } = await revokingApp();
    const good = await mintInvocation({ signer: signerOf('a'), audience: oracle.did });
    await revoke(await takeBack('b', good), await headersOf('b'));
    expect(await statusWith(bearer(good))).toBe(200);
    await app.close();
  });

  it('refuses invalid revocations and unauthenticated callers', async () => {
    const { app, revoke } = await revokingApp();
    const invocation = await mintInvocation({ signer: signerOf('a'), audience: oracle.did });
    const elsewhere = await mintRevocation({ signer: signerOf('a'), audience: signerOf('x').did, token: invocation });
    for (const [token, why] of [
      ['x', 'body.token: is not a UCAN that can be read'],
      [invocation, 'is not a token by which its signer revokes another one'],
      [elsewhere, 'is not a token by which its signer revokes another one'],
      ...['', 7, undefined].map((none) => [none, 'body.token']),
    ]) {
      const reply = await revoke(token);
      expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(`${why}`)]);
    }
    expect((await revoke(await takeBack('a', invocation), {})).statusCode).toBe(401);
    await app.close();
  });

  it('answers 503 if the revocation cannot be stored', async () => {
    const revocations = {
      isAnyRevoked: async () => false,
      revoke: async () => {
        throw new Error('connection refused');
      },
    };
    const { app } = await testApp({ auth: createUcanAuth({ audiences: [oracle.did], revocations }) });
    const lost = await mintInvocation({ signer: signerOf('a'), audience: oracle.did });
    const payload = { token: await takeBack('a', lost) };
    const reply = await app.inject({ method: 'POST', url: '/revocations', headers: asha, payload });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2']);
    expect(reply.body).not.toContain('refused');
    await app.close();
  });
});
