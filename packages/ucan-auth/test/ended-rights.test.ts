import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { decodeToken } from '../src/decode/decode-token.js';
import { keyOfDid } from '../src/dids/did-key.js';
import type { DidResolver } from '../src/dids/did-resolver.js';
import { mintDelegation, mintInvocation, signerFromSeed } from '../src/mint/minting.js';
import type { RevocationStore } from '../src/revocation/revocation-store.js';
import { memoryRevocationStore } from '../src/stores/memory-stores.js';
import { alice, bob, NOW, ORACLE, token } from './forge.js';

const ixoAlice = signerFromSeed('a1'.repeat(32), 'did:ixo:ixo1alice');

function cidOf(text: string): string {
  const decoding = decodeToken(text);
  if (!decoding.ok) throw new Error(decoding.code);
  return decoding.token.root.cid.toString();
}

/** A chain whose document of Alice can change, read anew as often as `keptSeconds` says. */
function changingChain(clock: () => number, keptSeconds?: number) {
  const chain = { signer: alice, asked: 0 };
  const resolver: DidResolver = {
    method: 'ixo',
    resolve: async () => {
      chain.asked += 1;
      const keys = [keyOfDid(chain.signer.did)].flatMap((key) => key ?? []);
      return { ok: true, keys, ...(keptSeconds === undefined ? {} : { until: clock() + keptSeconds }) };
    },
    forget: () => {},
  };
  return { chain, resolver };
}

describe('a result on a key that had to be looked up', () => {
  it.each([
    ['as long as the keys are kept', 60, 60],
    ['five minutes where nobody says', undefined, 300],
  ])('is remembered %s, and no longer', async (_, keptSeconds, seconds) => {
    let now = NOW;
    const { chain, resolver } = changingChain(() => now, keptSeconds);
    const auth = createUcanAuth({ audiences: [ORACLE], resolvers: [resolver], now: () => now });
    const text = await token({ signer: ixoAlice, exp: NOW + 900 });
    expect((await auth.invocation(text)).ok).toBe(true);
    chain.signer = bob;
    now = NOW + seconds - 1;
    expect((await auth.invocation(text)).ok).toBe(true);
    expect(chain.asked).toBe(1);
    now = NOW + seconds;
    expect(await auth.invocation(text)).toEqual({ ok: false, code: 'bad_signature' });
  });

  it('is so too when only a proof rests on it', async () => {
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

/** Answers the first question when told to, with what was so when it was asked. */
function slowFirst(revocations: RevocationStore) {
  let asked = 0;
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store: RevocationStore = {
    revoke: (revocation) => revocations.revoke(revocation),
    isAnyRevoked: async (path) => {
      const isRevoked = await revocations.isAnyRevoked(path);
      asked += 1;
      if (asked === 1) await released;
      return isRevoked;
    },
  };
  return { store, release, asked: () => asked };
}

describe('whoever joins a validation under way', () => {
  it('asks for revocations too', async () => {
    const { store, release, asked } = slowFirst(memoryRevocationStore(() => NOW));
    const auth = createUcanAuth({ audiences: [ORACLE], revocations: store, now: () => NOW });
    const text = await token({});
    const first = auth.invocation(text);
    await expect.poll(asked).toBe(1);
    await store.revoke({ cid: cidOf(text), issuer: alice.did, expiresAt: NOW + 900 });
    const joined = auth.invocation(text);
    release();
    expect((await first).ok).toBe(true);
    expect(await joined).toEqual({ ok: false, code: 'revoked' });
  });

  it('does not join one that began with keys which are forgotten', async () => {
    const { chain, resolver } = changingChain(() => NOW);
    const { store, release, asked } = slowFirst(memoryRevocationStore(() => NOW));
    const auth = createUcanAuth({ audiences: [ORACLE], revocations: store, resolvers: [resolver], now: () => NOW });
    const text = await token({ signer: ixoAlice });
    const first = auth.invocation(text);
    await expect.poll(asked).toBe(1);
    chain.signer = bob;
    auth.forget(ixoAlice.did);
    const second = auth.invocation(text);
    release();
    expect((await first).ok).toBe(true);
    expect(await second).toEqual({ ok: false, code: 'bad_signature' });
    expect((await auth.invocation(text)).ok).toBe(false);
  });
});
