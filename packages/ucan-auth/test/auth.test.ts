import { describe, expect, it } from 'vitest';
import { createUcanAuth, type DidResolver, type KeyResolution, type UcanAuthOptions } from '../src/auth.js';
import { keyOfDid } from '../src/dids/did-key.js';
import { mintDelegation, mintInvocation, signerFromSeed } from '../src/mint/minting.js';
import { memoryReplayStore, memoryRevocationStore } from '../src/stores/memory-stores.js';
import type { RevocationStore } from '../src/stores/token-stores.js';
import { alice, bob, mallory, NOW, ORACLE, token, USE_ORACLE } from './forge.js';

function authWith(options: Partial<UcanAuthOptions> = {}) {
  return createUcanAuth({ audiences: [ORACLE], now: () => NOW, ...options });
}

const ixoAlice = signerFromSeed('a1'.repeat(32), 'did:ixo:ixo1alice');

/** A resolver for one user, and its lookups. */
function resolverOf(answer: (did: string) => Promise<KeyResolution>): DidResolver & { readonly lookups: string[] } {
  const lookups: string[] = [];
  return {
    method: 'ixo',
    lookups,
    resolve: (did) => {
      lookups.push(did);
      return answer(did);
    },
    forget: () => {},
  };
}

/** A lookup that never ends. */
const never = new Promise<KeyResolution>(() => {});

const aliceKeys = async (): Promise<KeyResolution> => ({
  ok: true,
  keys: [keyOfDid(bob.did), keyOfDid(alice.did)].flatMap((key) => key ?? []),
});

describe('invocation', () => {
  it('is accepted for each DID of the service', async () => {
    const auth = authWith({ audiences: ['did:ixo:one', 'did:ixo:two'] });
    expect((await auth.invocation(await token({ audience: 'did:ixo:two' }))).ok).toBe(true);
  });

  it('is accepted until the second before its expiry', async () => {
    let now = NOW;
    const auth = authWith({ now: () => now });
    const text = await token({ exp: NOW + 900 });
    expect((await auth.invocation(text)).ok).toBe(true);
    now = NOW + 899;
    expect((await auth.invocation(text)).ok).toBe(true);
    now = NOW + 900;
    expect(await auth.invocation(text)).toEqual({ ok: false, code: 'expired' });
  });

  it('is refused after a proof expires, cached or not', async () => {
    let now = NOW;
    const auth = authWith({ now: () => now });
    const proof = await mintDelegation({
      signer: bob,
      audience: alice.did,
      capabilities: [USE_ORACLE],
      expiresAt: NOW + 60,
    });
    const text = await mintInvocation({ signer: alice, audience: ORACLE, proofs: [proof], expiresAt: NOW + 600 });
    expect(await auth.invocation(text)).toMatchObject({
      ok: true,
      result: { expiresAt: NOW + 600, validUntil: NOW + 60 },
    });
    now = NOW + 60;
    expect(await auth.invocation(text)).toEqual({ ok: false, code: 'not_authorized' });
  });

  it('tries each Ed25519 key of a did:ixo issuer', async () => {
    const auth = authWith({ resolvers: [resolverOf(aliceKeys)] });
    const text = await token({ signer: ixoAlice });
    expect(await auth.invocation(text)).toMatchObject({ ok: true, result: { issuer: 'did:ixo:ixo1alice' } });
  });

  it('is refused when its issuer has no keys, other keys, or no resolver', async () => {
    const text = await token({ signer: ixoAlice });
    const none = authWith({ resolvers: [resolverOf(async () => ({ ok: true, keys: [] }))] });
    expect(await none.invocation(text)).toEqual({ ok: false, code: 'unknown_issuer' });
    const others = authWith({
      resolvers: [resolverOf(async () => ({ ok: true, keys: [keyOfDid(bob.did) ?? new Uint8Array()] }))],
    });
    expect(await others.invocation(text)).toEqual({ ok: false, code: 'bad_signature' });
    expect(await authWith().invocation(text)).toEqual({ ok: false, code: 'unknown_issuer' });
  });

  it('is unavailable while keys cannot be read', async () => {
    let down = true;
    const auth = authWith({
      resolvers: [resolverOf(() => (down ? Promise.resolve({ ok: false, code: 'unavailable' }) : aliceKeys()))],
    });
    const text = await token({ signer: ixoAlice });
    expect(await auth.invocation(text)).toEqual({ ok: false, code: 'unavailable' });
    down = false;
    expect((await auth.invocation(text)).ok).toBe(true);
  });

  it('waits for the keys of a chain for a bounded time, without delaying other tokens', async () => {
    const resolver = resolverOf(async (did) => (did === ixoAlice.did ? aliceKeys() : never));
    const slow = signerFromSeed('a1'.repeat(32), 'did:ixo:slow');
    const proof = await mintDelegation({
      signer: slow,
      audience: ixoAlice.did,
      capabilities: [USE_ORACLE],
      expiresAt: NOW + 60,
    });
    const text = await mintInvocation({ signer: ixoAlice, audience: ORACLE, proofs: [proof], expiresAt: NOW + 60 });
    const auth = authWith({ resolvers: [resolver], keysTimeoutMs: 100 });
    expect(await auth.invocation(text)).toEqual({ ok: false, code: 'unavailable' });
    expect(resolver.lookups).toEqual([ixoAlice.did, slow.did]);
    expect((await auth.invocation(await token({}))).ok).toBe(true);
  });

  it('is unavailable if a resolver rejects', async () => {
    const auth = authWith({ resolvers: [resolverOf(() => Promise.reject(new Error('broken')))] });
    expect(await auth.invocation(await token({ signer: ixoAlice }))).toEqual({ ok: false, code: 'unavailable' });
  });

  it('is verified once for concurrent and later requests', async () => {
    const resolver = resolverOf(aliceKeys);
    const auth = authWith({ resolvers: [resolver] });
    const text = await token({ signer: ixoAlice });
    const results = await Promise.all(Array.from({ length: 20 }, () => auth.invocation(text)));
    expect(results.every((result) => result.ok)).toBe(true);
    await auth.invocation(text);
    expect(resolver.lookups).toEqual(['did:ixo:ixo1alice']);
  });

  it('is verified again after forget of its issuer', async () => {
    const resolver = resolverOf(aliceKeys);
    const auth = authWith({ resolvers: [resolver] });
    const text = await token({ signer: ixoAlice });
    await auth.invocation(text);
    auth.forget('did:ixo:ixo1alice');
    await auth.invocation(text);
    expect(resolver.lookups).toHaveLength(2);
  });

  it('looks up no key of a token for another audience', async () => {
    const resolver = resolverOf(aliceKeys);
    const auth = authWith({ resolvers: [resolver] });
    await auth.invocation(await token({ signer: ixoAlice, audience: 'did:ixo:another' }));
    await auth.invocation(await token({ signer: ixoAlice, exp: NOW - 1 }));
    expect(resolver.lookups).toEqual([]);
  });
});

describe('delegation', () => {
  it('may last for days, and its capabilities are listed', async () => {
    const capabilities = [
      { can: 'store/add', with: 'ixo:box/1' },
      { can: 'mail/*', with: 'ixo:mail', nb: { max: 3 } },
    ] as const;
    const text = await mintDelegation({ signer: alice, audience: ORACLE, capabilities, expiresAt: NOW + 864_000 });
    expect(await authWith().delegation(text)).toMatchObject({
      ok: true,
      result: { issuer: alice.did, audience: ORACLE, capabilities, expiresAt: NOW + 864_000 },
    });
  });

  it('may delegate what was granted, and nothing else', async () => {
    const grant = await mintDelegation({
      signer: bob,
      audience: alice.did,
      capabilities: [{ can: 'store/*', with: 'ixo:box' }],
      expiresAt: NOW + 864_000,
    });
    const pass = (can: string) =>
      mintDelegation({
        signer: alice,
        audience: ORACLE,
        capabilities: [{ can, with: 'ixo:box' }],
        proofs: [grant],
        expiresAt: NOW + 3600,
      });
    expect((await authWith().delegation(await pass('store/add'))).ok).toBe(true);
    expect(await authWith().delegation(await pass('mail/send'))).toEqual({ ok: false, code: 'not_authorized' });
  });

  it('is refused without an expiry or with one beyond a year', async () => {
    expect(await authWith().delegation(await token({ exp: null }))).toEqual({ ok: false, code: 'no_expiry' });
    expect(await authWith().delegation(await token({ exp: NOW + 315_360_000 }))).toEqual({
      ok: false,
      code: 'ttl_too_long',
    });
  });
});

describe('revocation', () => {
  it('refuses a token immediately, though its result is cached', async () => {
    const revocations = memoryRevocationStore(() => NOW);
    const auth = authWith({ revocations });
    const text = await token({});
    const first = await auth.invocation(text);
    if (!first.ok) throw new Error(first.code);
    await revocations.revoke({ cid: first.result.cid, issuer: alice.did, expiresAt: NOW + 900 });
    expect(await auth.invocation(text)).toEqual({ ok: false, code: 'revoked' });
  });

  it('of a grant refuses tokens with it as a proof, by issuers on the path only', async () => {
    const revocations = memoryRevocationStore(() => NOW);
    const auth = authWith({ revocations });
    const proof = await mintDelegation({
      signer: bob,
      audience: alice.did,
      capabilities: [USE_ORACLE],
      expiresAt: NOW + 600,
    });
    const text = await mintInvocation({ signer: alice, audience: ORACLE, proofs: [proof], expiresAt: NOW + 600 });
    const first = await auth.invocation(text);
    const cid = first.ok ? (first.result.path[1]?.cid ?? '') : '';
    await revocations.revoke({ cid, issuer: mallory.did, expiresAt: NOW + 900 });
    expect((await auth.invocation(text)).ok).toBe(true);
    await revocations.revoke({ cid, issuer: bob.did, expiresAt: NOW + 900 });
    expect(await auth.invocation(text)).toEqual({ ok: false, code: 'revoked' });
  });

  it('that cannot be checked makes every token unavailable', async () => {
    const revocations: RevocationStore = {
      revoke: async () => 'recorded',
      isAnyRevoked: () => Promise.reject(new Error('down')),
    };
    expect(await authWith({ revocations }).invocation(await token({}))).toEqual({ ok: false, code: 'unavailable' });
  });
});

describe('authorize', () => {
  const capability = { can: 'store/add', with: `${alice.did}/box` };

  it('accepts the owner and issuers that the owner granted it to', async () => {
    const auth = authWith();
    const own = await mintInvocation({ signer: alice, audience: ORACLE, capability, expiresAt: NOW + 60 });
    expect((await auth.authorize(own, 'store/add', capability.with)).ok).toBe(true);
    const proof = await mintDelegation({
      signer: alice,
      audience: bob.did,
      capabilities: [{ can: 'store/*', with: `${alice.did}/*` }],
      expiresAt: NOW + 60,
    });
    const lent = await mintInvocation({
      signer: bob,
      audience: ORACLE,
      capability,
      proofs: [proof],
      expiresAt: NOW + 60,
    });
    expect((await auth.authorize(lent, 'store/add', capability.with)).ok).toBe(true);
    const stolen = await mintInvocation({ signer: mallory, audience: ORACLE, capability, expiresAt: NOW + 60 });
    expect(await auth.authorize(stolen, 'store/add', capability.with)).toEqual({ ok: false, code: 'not_authorized' });
  });

  it('requires exactly the claimed capability', async () => {
    const own = await mintInvocation({ signer: alice, audience: ORACLE, capability, expiresAt: NOW + 60 });
    expect(await authWith().authorize(own, 'store/remove', capability.with)).toEqual({
      ok: false,
      code: 'wrong_capability',
    });
    expect(await authWith().authorize(own, 'store/add', `${alice.did}/other`)).toEqual({
      ok: false,
      code: 'wrong_resource',
    });
  });

  it('of consent requires exactly the capability by exactly the issuer', async () => {
    const auth = authWith();
    const theirs = { can: 'mcp/call', with: `ixo:oracle:${ORACLE}:mcp/search/find` };
    const word = await mintInvocation({ signer: alice, audience: ORACLE, capability: theirs, expiresAt: NOW + 60 });
    const consentOf = (resource: string, issuer: string) =>
      auth.consent(word, issuer, { can: 'mcp/call', with: resource });
    expect((await consentOf(theirs.with, alice.did)).ok).toBe(true);
    expect(await consentOf(theirs.with, bob.did)).toEqual({ ok: false, code: 'not_authorized' });
    expect(await consentOf(`${theirs.with}er`, alice.did)).toEqual({ ok: false, code: 'wrong_resource' });
    // Consent does not prove ownership.
    expect(await auth.authorize(word, 'mcp/call', theirs.with)).toEqual({ ok: false, code: 'not_authorized' });
  });

  it('accepts a single-use token exactly once under concurrency', async () => {
    const auth = authWith({ replays: memoryReplayStore(() => NOW) });
    const own = await mintInvocation({ signer: alice, audience: ORACLE, capability, expiresAt: NOW + 60 });
    const uses = await Promise.all(
      Array.from({ length: 10 }, () => auth.authorize(own, 'store/add', capability.with, { singleUse: true })),
    );
    expect(uses.filter((use) => use.ok)).toHaveLength(1);
    expect(uses.filter((use) => !use.ok && use.code === 'replayed')).toHaveLength(9);
  });

  it('accepts no single-use token without a replay store', async () => {
    const own = await mintInvocation({ signer: alice, audience: ORACLE, capability, expiresAt: NOW + 60 });
    expect(await authWith().authorize(own, 'store/add', capability.with, { singleUse: true })).toEqual({
      ok: false,
      code: 'unavailable',
    });
  });
});
