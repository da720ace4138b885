import { keyringOf } from '@mlango/crypto/keyring';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { createDownstream } from '@mlango/ucan-auth/downstream';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { mintDelegation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, expect, it, vi } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import type { DelegationStore } from './delegation-store.js';

import { Delegations } from './delegations.js';
import { type OnBehalfResult, onBehalf } from './on-behalf.js';

const oracle = signerFromSeed(Buffer.alloc(32, 'o'));
const asha = signerFromSeed(Buffer.alloc(32, 'a'));
const baraka = signerFromSeed(Buffer.alloc(32, 'b'));
const origin = 'https://claims.example';
const capability = { can: 'claims/read', with: 'ixo:claims' };
const key = (id: string, fill: number) => ({ id, bytes: Buffer.alloc(32, fill) });
const log = { warn: vi.fn<(fields: object, text: string) => void>() };

async function parts(keys = [key('k1', 1)], shared?: DelegationStore) {
  const store = shared ?? (await openTestStores()).delegations;
  let now = 1_800_000_000;
  const revocations = memoryRevocationStore();
  const auth = createUcanAuth({ audiences: [oracle.did], revocations, now: () => now });
  const notices = memoryRateLimitStore();
  const keyring = keyringOf(keys);
  const delegations = new Delegations({ store, auth, notices, keyring, oracleDid: oracle.did, log });
  let onRead = async (): Promise<void> => {};
  const services = {
    read: async () => {
      await onRead();
      return { ok: true, did: 'did:web:claims.example' } as const;
    },
  };
  const downstream = createDownstream({ auth, signers: [oracle], services, now: () => now });
  const acting = onBehalf({ delegations, downstream, notices });
  return {
    auth,
    store,
    delegations,
    acting,
    later: (seconds: number) => {
      now += seconds;
    },
    duringMint: (act: () => Promise<void>) => {
      onRead = act;
    },
    delegation: (signer = asha) =>
      mintDelegation({
        signer,
        audience: oracle.did,
        capabilities: [capability],
        lifetimeSeconds: 3_600,
        now: () => now,
      }),
    revoke: async (token: string) =>
      auth.revoke(await mintRevocation({ signer: asha, audience: oracle.did, token, now: () => now })),
    ask: (did = asha.did) => acting.invocation({ did, capability, origin }),
  };
}

describe('an invocation on behalf of a user', () => {
  it('is minted from the delegation of the user, a new one for each call', async () => {
    const { delegations, delegation, ask } = await parts();
    await delegations.put(asha.did, await delegation());
    const [one, two] = [await ask(), await ask()];
    expect(one).toMatchObject({ ok: true, audience: 'did:web:claims.example' });
    expect(tokenOf(one)).not.toBe(tokenOf(two));
    const other = createUcanAuth({
      audiences: ['did:web:claims.example'],
      resources: ['ixo:claims'],
      now: () => 1_800_000_000,
    });
    const judged = await other.authorize(tokenOf(one), capability.can, capability.with);
    expect(judged).toMatchObject({ ok: true });
  });

  it('claims no more than the delegation grants', async () => {
    const { delegations, delegation, acting } = await parts();
    await delegations.put(asha.did, await delegation());
    const more = { can: 'claims/write', with: 'ixo:claims' };
    expect(await acting.invocation({ did: asha.did, capability: more, origin })).toEqual({
      ok: false,
      code: 'not_authorized',
    });
  });

  it('is not returned after the delegation was deleted, even if it was being minted', async () => {
    const { delegations, delegation, ask, duringMint } = await parts();
    await delegations.put(asha.did, await delegation());
    duringMint(() => delegations.delete(asha.did));
    expect(await ask()).toMatchObject({ ok: false, code: 'missing' });
    expect(await ask()).toMatchObject({ ok: false, code: 'missing' });
  });

  it('is not returned for a replaced, expired or revoked delegation', async () => {
    const { delegations, delegation, ask, duringMint, later, revoke } = await parts();
    const first = await delegation();
    await delegations.put(asha.did, first);
    duringMint(async () => {
      await delegations.put(asha.did, await delegation());
    });
    expect(await ask()).toMatchObject({ ok: false, code: 'revoked' });
    duringMint(async () => undefined);
    expect(await ask()).toMatchObject({ ok: true });
    const held = await delegations.find(asha.did);
    await revoke(held.ok ? held.token : '');
    expect(await ask()).toMatchObject({ ok: false, code: 'revoked' });
    await delegations.put(asha.did, await delegation());
    later(7_200);
    expect(await ask()).toMatchObject({ ok: false, code: 'expired' });
  });

  it('that is missing is explained to each user once in six hours', async () => {
    const { ask } = await parts();
    expect(await ask()).toEqual({ ok: false, code: 'missing', notice: expect.stringContaining('POST /delegation') });
    expect(await ask()).toEqual({ ok: false, code: 'missing' });
    expect(await ask(baraka.did)).toMatchObject({ notice: expect.any(String) });
  });

  it('is explained once per reason, and again after a new authorisation', async () => {
    const { delegations, delegation, ask, later } = await parts();
    const told = async (code: string) => {
      const asked = await ask();
      expect(asked).toMatchObject({ ok: false, code });
      return 'notice' in asked;
    };
    await delegations.put(asha.did, await delegation());
    later(7_200);
    expect([await told('expired'), await told('expired')]).toEqual([true, false]);
    await delegations.delete(asha.did);
    expect([await told('missing'), await told('missing')]).toEqual([true, false]);
    expect((await delegations.put(asha.did, await delegation(baraka))).ok).toBe(false);
    expect(await told('missing')).toBe(false);
    await delegations.put(asha.did, await delegation());
    later(7_200);
    expect([await told('expired'), await told('expired')]).toEqual([true, false]);
    await delegations.delete(asha.did);
    expect(await told('missing')).toBe(true);
  });
});

describe('a stored delegation', () => {
  it('is sealed: the store contains no part of the token', async () => {
    const { delegations, delegation, store } = await parts();
    const token = await delegation();
    await delegations.put(asha.did, token);
    const row = await store.find(asha.did);
    expect(row?.sealed).toMatch(/^s1\.k1\./);
    expect(row?.sealed).not.toContain(token.slice(40, 80));
  });

  it('cannot be opened from the row of another user', async () => {
    const { delegations, delegation, store } = await parts();
    await delegations.put(asha.did, await delegation());
    const row = await store.find(asha.did);
    if (row !== undefined) await store.put(baraka.did, row);
    expect(await delegations.find(baraka.did)).toEqual({ ok: false, code: 'missing' });
  });

  it('opens after the active key has changed, but not without its key', async () => {
    const { delegations, delegation, store } = await parts();
    await delegations.put(asha.did, await delegation());
    const rotated = await parts([key('k2', 2), key('k1', 1)], store);
    expect(await rotated.delegations.find(asha.did)).toMatchObject({ ok: true });
    const lost = await parts([key('k2', 2)], store);
    expect(await lost.delegations.find(asha.did)).toEqual({ ok: false, code: 'missing' });
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain('s1.');
  });
});

function tokenOf(result: OnBehalfResult): string {
  return result.ok ? result.token : '';
}
