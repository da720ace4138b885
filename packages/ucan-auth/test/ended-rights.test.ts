import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { keyOfDid } from '../src/dids/did-key.js';
import type { DidResolver } from '../src/dids/did-resolver.js';
import { mintDelegation, mintInvocation, signerFromSeed } from '../src/mint/minting.js';
import { memoryRevocationStore } from '../src/stores/memory-stores.js';
import type { RevocationStore } from '../src/stores/token-stores.js';
import { alice, bob, NOW, ORACLE, rootOf, token } from './forge.js';

const ixoAlice = signerFromSeed('a1'.repeat(32), 'did:ixo:ixo1alice');

/** A chain with a changing document of Alice, cached for `cacheSeconds`. */
function changingChain(clock: () => number, cacheSeconds?: number) {
  const chain = { signer: alice, lookups: 0 };
  const resolver: DidResolver = {
    method: 'ixo',
    resolve: async () => {
      chain.lookups += 1;
      const keys = [keyOfDid(chain.signer.did)].flatMap((key) => key ?? []);
      return { ok: true, keys, ...(cacheSeconds === undefined ? {} : { until: clock() + cacheSeconds }) };
    },
    forget: () => {},
  };
  return { chain, resolver };
}

describe('a result with a looked-up key', () => {
  it.each([
    ['as long as the keys', 60, 60],
    ['five minutes by default', undefined, 300],
  ])('is cached %s, and no longer', async (_, cacheSeconds, seconds) => {
    let now = NOW;
    const { chain, resolver } = changingChain(() => now, cacheSeconds);
    const auth = createUcanAuth({ audiences: [ORACLE], resolvers: [resolver], now: () => now });
    const text = await token({ signer: ixoAlice, exp: NOW + 900 });
    expect((await auth.invocation(text)).ok).toBe(true);
    chain.signer = bob;
    now = NOW + seconds - 1;
    expect((await auth.invocation(text)).ok).toBe(true);
    expect(chain.lookups).toBe(1);
    now = NOW + seconds;
    expect(await auth.invocation(text)).toEqual({ ok: false, code: 'bad_signature' });
  });

  it('is cached as long if only a proof has such a key', async () => {
    let now = NOW;
    const { chain, resolver } = changingChain(() => now);
    const auth = createUcanAuth({ audiences: [ORACLE], resolvers: [resolver], now: () => now });
    const use = { can: '*', with: 'ixo:oracle' } as const;
    const grant = await mintDelegation({
      signer: ixoAlice,
      audience: bob.did,
      capabilities: [use],
      expiresAt: NOW + 900,
    });
    const text = await mintInvocation({ signer: bob, audience: ORACLE, proofs: [grant], expiresAt: NOW + 900 });
    expect((await auth.invocation(text)).ok).toBe(true);
    chain.signer = bob;
    now = NOW + 300;
    expect((await auth.invocation(text)).ok).toBe(false);
  });
});

/** A store that delays its first answer until `release`, with the state at the time of the query. */
function slowFirst(revocations: RevocationStore) {
  let lookups = 0;
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store: RevocationStore = {
    revoke: (revocation) => revocations.revoke(revocation),
    isAnyRevoked: async (path) => {
      const isRevoked = await revocations.isAnyRevoked(path);
      lookups += 1;
      if (lookups === 1) await released;
      return isRevoked;
    },
  };
  return { store, release, lookups: () => lookups };
}

describe('a caller that joins a running verification', () => {
  it('checks revocations too', async () => {
    const { store, release, lookups } = slowFirst(memoryRevocationStore(() => NOW));
    const auth = createUcanAuth({ audiences: [ORACLE], revocations: store, now: () => NOW });
    const text = await token({});
    const first = auth.invocation(text);
    await expect.poll(lookups).toBe(1);
    await store.revoke({ cid: rootOf(text).cid.toString(), issuer: alice.did, expiresAt: NOW + 900 });
    const joined = auth.invocation(text);
    release();
    expect((await first).ok).toBe(true);
    expect(await joined).toEqual({ ok: false, code: 'revoked' });
  });

  it('does not join one that started before forget', async () => {
    const { chain, resolver } = changingChain(() => NOW);
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: DidResolver = {
      ...resolver,
      resolve: async (did) => {
        const resolution = await resolver.resolve(did);
        if (chain.lookups === 1) await released;
        return resolution;
      },
    };
    const auth = createUcanAuth({ audiences: [ORACLE], resolvers: [slow], now: () => NOW });
    const text = await token({ signer: ixoAlice });
    const first = auth.invocation(text);
    await expect.poll(() => chain.lookups).toBe(1);
    chain.signer = bob;
    auth.forget(ixoAlice.did);
    const second = auth.invocation(text);
    release();
    expect((await first).ok).toBe(true);
    expect(await second).toEqual({ ok: false, code: 'bad_signature' });
    expect((await auth.invocation(text)).ok).toBe(false);
  });
});
