import { createServer, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Allowance, createUcanAuth, type UcanAuth } from '../src/auth.js';
import { keyOfDid } from '../src/dids/did-key.js';
import { createIxoDidResolver } from '../src/dids/ixo-did-resolver.js';
import { signerFromSeed } from '../src/mint/minting.js';
import { NOW, ORACLE, token, ucanBlock } from './forge.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const HONEST = 'did:ixo:honest';
const honest = signerFromSeed('aa'.repeat(32), HONEST);
const [attacker, elsewhere] = [{ address: '192.0.2.7' }, { address: '198.51.100.1' }];

/** So many for each holder, for ever. */
function allowanceOf(limit: number): Allowance & { readonly taken: Map<string, number> } {
  const taken = new Map<string, number>();
  return {
    taken,
    take: async (holder) => {
      taken.set(holder, (taken.get(holder) ?? 0) + 1);
      return (taken.get(holder) ?? 0) > limit ? { ok: false, retryAfterSeconds: 42 } : { ok: true };
    },
  };
}

/** An indexer that knows the honest user, and says nothing of those in `silent`. */
async function indexer(silent: (did: string) => boolean = () => false) {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => answer(body, reply));
  });
  function answer(body: string, reply: ServerResponse): void {
    const { variables } = JSON.parse(body) as { variables: { id: string } };
    asked.push(variables.id);
    if (silent(variables.id)) return;
    const method = { type: 'Ed25519VerificationKey2020', publicKeyHex: hexOf(honest.keyDid) };
    const nodes = variables.id === HONEST ? [{ id: HONEST, verificationMethod: [method] }] : [];
    reply.end(JSON.stringify({ data: { iids: { nodes } } }));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const resolver = createIxoDidResolver({ graphqlUrl: `http://127.0.0.1:${address.port}/` });
  closing.push(() => resolver.close());
  const authWith = (lookUps?: Allowance): UcanAuth =>
    createUcanAuth({
      audiences: [ORACLE],
      now: () => NOW,
      resolvers: [resolver],
      ...(lookUps === undefined ? {} : { lookUps }),
    });
  return { asked, authWith };
}

const hexOf = (did: string) => Buffer.from(keyOfDid(did) ?? []).toString('hex');
const bearer = (text: string) => ({ authorization: `Bearer ${text}`, 'x-auth-type': 'ucan' });
const bad = (index: number) => token({ signer: signerFromSeed('66'.repeat(32), `did:ixo:nobody${index}`) });
/** How many of each. */
function codes(results: readonly { ok: boolean; code?: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code = 'ok' } of results) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

describe('keys that have to be looked up', () => {
  it('are paid for by the address that asks, before anybody is asked; others are served meanwhile', async () => {
    const { asked, authWith } = await indexer();
    const auth = authWith(allowanceOf(5));
    const results = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => auth.invocation(await bad(index), attacker)),
    );
    expect(codes(results)).toEqual({ unknown_issuer: 5, rate_limited: 55 });
    expect(asked).toHaveLength(5);
    expect(await auth.invocation(await token({ signer: honest }), elsewhere)).toMatchObject({ ok: true });
  });

  it('are answered with 429 and a time to wait when the address has none left, in requests and handshakes', async () => {
    const { asked, authWith } = await indexer();
    const auth = authWith(allowanceOf(0));
    const text = await bad(1);
    const failure = {
      status: 429,
      message: 'Too many requests. Retry in 42 seconds.',
      headers: { 'retry-after': '42' },
      reason: 'rate_limited',
    };
    expect(await auth.request(bearer(text), attacker)).toMatchObject({ ok: false, failure });
    expect(await auth.request({ 'x-ucan-delegation': text }, attacker)).toMatchObject({ ok: false, failure });
    expect(await auth.handshake({ invocation: text }, attacker)).toMatchObject({ ok: false, failure });
    expect(await auth.authorize(text, '*', 'ixo:oracle', attacker)).toMatchObject({ ok: false, code: 'rate_limited' });
    expect(asked).toEqual([]);
  });

  it('cost nothing once they are known, and one look-up whoever of an address wants it at the same time', async () => {
    const { asked, authWith } = await indexer();
    const allowance = allowanceOf(1);
    const auth = authWith(allowance);
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => token({ signer: honest, nnc: `${index}` })),
    );
    const [first, ...later] = tokens;
    const together = await Promise.all(later.map((text) => auth.invocation(text, elsewhere)));
    expect(codes(together)).toEqual({ ok: 19 });
    expect(codes([await auth.invocation(first ?? '', attacker)])).toEqual({ ok: 1 });
    expect([asked, [...allowance.taken]]).toEqual([[HONEST], [[elsewhere.address, 1]]]);
  });

  it('are unavailable when nobody can tell what an address has left', async () => {
    const { asked, authWith } = await indexer();
    const auth = authWith({ take: () => Promise.reject(new Error('away')) });
    expect(await auth.invocation(await bad(1), attacker)).toEqual({ ok: false, code: 'unavailable' });
    expect(asked).toEqual([]);
  });

  it('are of at most three issuers of one token', async () => {
    const { asked, authWith } = await indexer();
    const auth = authWith();
    const isRefused = async (issuers: number) => codes([await auth.invocation(await issuersBeside(issuers))]);
    expect(await isRefused(4)).toEqual({ too_complex: 1 });
    expect(asked).toEqual([]);
    expect(await isRefused(3)).toEqual({ unknown_issuer: 1 });
  });
});

/** A token whose issuers, so many of them, are no did:key. */
async function issuersBeside(count: number): Promise<string> {
  const [signer = honest, ...others] = Array.from({ length: count }, (_, index) =>
    signerFromSeed('66'.repeat(32), `did:ixo:nobody${index}`),
  );
  const prf = others.map((other) => ucanBlock({ signer: other, audience: signer.did }));
  return token({ signer, prf: await Promise.all(prf) });
}

describe('slow look-ups', () => {
  it('of one address do not shut out another', async () => {
    const { asked, authWith } = await indexer((did) => did !== HONEST);
    const auth = authWith();
    const slow = Array.from({ length: 80 }, async (_, index) => auth.invocation(await bad(index), attacker));
    // A quarter of all that run at once.
    await expect.poll(() => asked.length).toBe(16);
    expect(await auth.invocation(await token({ signer: honest }), elsewhere)).toMatchObject({ ok: true });
    expect(codes(await Promise.all(slow))).toEqual({ unavailable: 80 });
  });
});
