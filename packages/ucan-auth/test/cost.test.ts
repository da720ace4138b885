import { createServer, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Allowance, createUcanAuth, type UcanAuth } from '../src/auth.js';
import { keyOfDid } from '../src/dids/did-key.js';
import { createIxoDidResolver } from '../src/dids/ixo-did-resolver.js';
import { signerFromSeed } from '../src/mint/minting.js';
import { lookedUpIssuers } from './attacks-exhausting.js';
import { NOW, ORACLE, token } from './forge.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const HONEST = 'did:ixo:honest';
const honest = signerFromSeed('aa'.repeat(32), HONEST);
const [attacker, otherSender] = [{ address: '192.0.2.7' }, { address: '198.51.100.1' }];

/** `limit` units per holder. */
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

/** An indexer with the keys of the honest user, without a response for DIDs in `silent`. */
async function indexer(silent: (did: string) => boolean = () => false) {
  const queries: string[] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => answer(body, reply));
  });
  function answer(body: string, reply: ServerResponse): void {
    const { variables } = JSON.parse(body) as { variables: { id: string } };
    queries.push(variables.id);
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
      // Longer than the default, so that a busy machine does not exhaust it.
      keysTimeoutMs: 60_000,
      resolvers: [resolver],
      ...(lookUps === undefined ? {} : { lookUps }),
    });
  return { queries, authWith };
}

const hexOf = (did: string) => Buffer.from(keyOfDid(did) ?? []).toString('hex');
const bearer = (text: string) => ({ authorization: `Bearer ${text}`, 'x-auth-type': 'ucan' });
const bad = (index: number) => token({ signer: signerFromSeed('66'.repeat(32), `did:ixo:unknown${index}`) });
/** Number of results by code. */
function codes(results: readonly { ok: boolean; code?: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code = 'ok' } of results) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

describe('key lookups', () => {
  it('take from the allowance of the address first, without delaying other addresses', async () => {
    const { queries, authWith } = await indexer();
    const auth = authWith(allowanceOf(5));
    const results = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => auth.invocation(await bad(index), attacker)),
    );
    expect(codes(results)).toEqual({ unknown_issuer: 5, rate_limited: 55 });
    expect(queries).toHaveLength(5);
    expect(await auth.invocation(await token({ signer: honest }), otherSender)).toMatchObject({ ok: true });
  });

  it('beyond the allowance answer 429 with Retry-After, for requests and handshakes', async () => {
    const { queries, authWith } = await indexer();
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
    expect(queries).toEqual([]);
  });

  it('take nothing for cached keys, and one unit for concurrent lookups of an address', async () => {
    const { queries, authWith } = await indexer();
    const allowance = allowanceOf(1);
    const auth = authWith(allowance);
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => token({ signer: honest, nnc: `${index}` })),
    );
    const [first, ...later] = tokens;
    const together = await Promise.all(later.map((text) => auth.invocation(text, otherSender)));
    expect(codes(together)).toEqual({ ok: 19 });
    expect(codes([await auth.invocation(first ?? '', attacker)])).toEqual({ ok: 1 });
    expect([queries, [...allowance.taken]]).toEqual([[HONEST], [[otherSender.address, 1]]]);
  });

  it('are unavailable if the allowance is unavailable', async () => {
    const { queries, authWith } = await indexer();
    const auth = authWith({ take: () => Promise.reject(new Error('unavailable')) });
    expect(await auth.invocation(await bad(1), attacker)).toEqual({ ok: false, code: 'unavailable' });
    expect(queries).toEqual([]);
  });

  it('are limited to three issuers of a token', async () => {
    const { queries, authWith } = await indexer();
    const auth = authWith();
    const isRefused = async (issuers: number) => codes([await auth.invocation(await lookedUpIssuers(issuers))]);
    expect(await isRefused(4)).toEqual({ too_complex: 1 });
    expect(queries).toEqual([]);
    expect(await isRefused(3)).toEqual({ unknown_issuer: 1 });
  });
});

describe('slow lookups', () => {
  it('of one address do not block another address', async () => {
    const { queries, authWith } = await indexer((did) => did !== HONEST);
    const auth = authWith();
    const slow = Array.from({ length: 80 }, async (_, index) => auth.invocation(await bad(index), attacker));
    // A quarter of the concurrent lookups.
    await expect.poll(() => queries.length).toBe(16);
    expect(await auth.invocation(await token({ signer: honest }), otherSender)).toMatchObject({ ok: true });
    expect(codes(await Promise.all(slow))).toEqual({ unavailable: 80 });
  });
});
