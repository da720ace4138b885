import { type DelegationOptions, mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersOf, oracle, testApp } from '../../test/app.fixture.js';

type App = Awaited<ReturnType<typeof testApp>>['app'];

let app: App;
beforeAll(async () => {
  ({ app } = await testApp());
});
afterAll(() => app.close());

const signerOf = (letter: string) => signerFromSeed(Buffer.alloc(32, letter));

function delegation(letter: string, options: Partial<DelegationOptions> = {}): Promise<string> {
  const capabilities = [{ can: 'claims/read', with: 'ixo:claims' }] as const;
  return mintDelegation({ signer: signerOf(letter), audience: oracle.did, capabilities, ...options });
}

async function call(letter: string, method: 'POST' | 'GET' | 'DELETE', payload?: object) {
  const headers = { ...(await headersOf(letter)), 'content-type': 'application/json' };
  const reply = await app.inject({
    method,
    url: '/delegation',
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
}

describe('/delegation', () => {
  it('stores and deletes a delegation, in the format of existing clients', async () => {
    expect(await call('a', 'GET')).toEqual({ status: 200, body: { authorized: false } });
    const expiration = Math.floor(Date.now() / 1000) + 86_400;
    const raw = await delegation('a', { expiresAt: expiration });
    const body = { raw, issuer: signerOf('a').did, audience: oracle.did, expiration };
    expect(await call('a', 'POST', body)).toEqual({ status: 200, body: { ok: true, expiration } });
    expect(await call('a', 'GET')).toEqual({ status: 200, body: { authorized: true, expiration } });
    expect(await call('a', 'DELETE')).toEqual({ status: 200, body: { ok: true } });
    expect(await call('a', 'GET')).toEqual({ status: 200, body: { authorized: false } });
    expect(await call('a', 'DELETE')).toEqual({ status: 200, body: { ok: true } });
  });

  it('returns the expiry of the token if the body has none', async () => {
    const expiration = Math.floor(Date.now() / 1000) + 3_600;
    const raw = await delegation('a', { expiresAt: expiration, audience: oracle.entityDid });
    const said = { raw, expiration: null, audience: null };
    expect(await call('a', 'POST', said)).toEqual({ status: 200, body: { ok: true, expiration } });
    expect(await call('a', 'GET')).toMatchObject({ body: { expiration } });
  });

  it.each([
    ['issuer', 'did:key:somebody'],
    ['audience', oracle.did],
    ['expiration', 9_999_999_999],
  ])('refuses a body if its %s contradicts the token, and leaves the stored one', async (field, value) => {
    await call('a', 'DELETE');
    const raw = await delegation('a', { audience: oracle.entityDid });
    const { status, body } = await call('a', 'POST', { raw, [field]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ fields: [field], message: expect.stringContaining(`body.${field}: `) });
    expect(await call('a', 'GET')).toMatchObject({ body: { authorized: false } });
  });

  it.each([
    ['of another user', () => delegation('b'), /issuer is not the caller/],
    ['to another oracle', () => delegation('a', { audience: signerOf('x').did }), /not addressed to this oracle/],
    ['that has expired', () => delegation('a', { expiresAt: 1_700_000_000 }), /has expired/],
    ['with a broken signature', async () => broken(await delegation('a')), /not a valid UCAN/],
    [
      'that is an invocation',
      () => mintInvocation({ signer: signerOf('a'), audience: oracle.did }),
      /is an invocation, not a delegation/,
    ],
    ['that is malformed', async () => 'aGVsbG8=', /not a valid UCAN/],
    ['that is too long', async () => 'A'.repeat(8_200), /raw/],
    ['that is empty', async () => ' ', /raw/],
  ])('refuses a token %s with 400, and leaves the stored one', async (_name, make, message) => {
    await call('a', 'POST', { raw: await delegation('a') });
    const { status, body } = await call('a', 'POST', { raw: await make() });
    expect(status).toBe(400);
    expect(body).toMatchObject({ statusCode: 400, error: 'Bad Request', message: expect.stringMatching(message) });
    expect(await call('a', 'GET')).toMatchObject({ body: { authorized: true } });
  });

  it('refuses other bodies with 400', async () => {
    for (const body of [{}, { raw: 5 }, { raw: null }, [], { token: 'x' }]) {
      expect((await call('a', 'POST', body)).status).toBe(400);
    }
    expect((await call('a', 'POST')).status).toBe(400);
  });

  it('separates the delegations of users', async () => {
    await call('a', 'POST', { raw: await delegation('a') });
    expect(await call('c', 'GET')).toEqual({ status: 200, body: { authorized: false } });
    await call('c', 'DELETE');
    expect(await call('a', 'GET')).toMatchObject({ body: { authorized: true } });
  });

  it('requires authentication', async () => {
    for (const method of ['POST', 'GET', 'DELETE'] as const) {
      expect((await app.inject({ method, url: '/delegation' })).statusCode).toBe(401);
    }
  });
});

/** The same token with one bit of its signature flipped. */
function broken(token: string): string {
  const bytes = Buffer.from(token, 'base64');
  const marker = Buffer.from([0x61, 0x73, 0x58, 0x44]);
  const at = bytes.indexOf(marker);
  const index = at === -1 ? bytes.length - 1 : at + 20;
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return bytes.toString('base64');
}
