import { describe, expect, it } from 'vitest';
import { type Allowance, createUcanAuth } from '../src/auth.js';
import { mintDelegation, mintInvocation, mintRevocation } from '../src/mint/minting.js';
import { memoryRevocationStore } from '../src/stores/memory-stores.js';
import type { RevocationStore } from '../src/stores/token-stores.js';
import { alice, bob, cidOf, mallory, NOW, ORACLE, rootOf, token, USE_ORACLE } from './forge.js';

const now = () => NOW;
const newService = () => createUcanAuth({ audiences: [ORACLE], revocations: memoryRevocationStore(now), now });
const minted = { audience: ORACLE, now };

async function chain() {
  const grant = await mintDelegation({ signer: bob, audience: alice.did, capabilities: [USE_ORACLE], now });
  return { grant, use: await mintInvocation({ ...minted, signer: alice, proofs: [grant] }) };
}

describe('a revocation', () => {
  it('refuses the token and tokens with it as a proof', async () => {
    const service = newService();
    const { grant, use } = await chain();
    expect((await service.invocation(use)).ok).toBe(true);
    expect((await service.revoke(await mintRevocation({ ...minted, signer: bob, token: grant }))).ok).toBe(true);
    expect(await service.invocation(use)).toEqual({ ok: false, code: 'revoked' });
  });

  it('by a DID that is not on the chain has no effect', async () => {
    const service = newService();
    const { grant, use } = await chain();
    await service.revoke(await mintRevocation({ ...minted, signer: mallory, token: grant }));
    expect((await service.invocation(use)).ok).toBe(true);
  });

  it('is refused on behalf of another DID', async () => {
    const { grant } = await chain();
    const nb = { ucan: rootOf(grant).cid };
    const text = await token({ signer: mallory, att: [{ can: 'ucan/revoke', with: bob.did, nb }] });
    expect(await newService().revoke(text)).toEqual({ ok: false, code: 'wrong_resource' });
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['a name instead of a link', { ucan: 'bafy' }],
    ['a link of another kind', { ucan: cidOf(Buffer.of(1), { hash: 0x13 }) }],
    ['an expiry that is not a time', { ucan: cidOf(Buffer.of(1)), exp: 'soon' }],
  ])('of %s is refused', async (_, nb) => {
    const text = await token({ att: [{ can: 'ucan/revoke', with: alice.did, nb }] });
    expect(await newService().revoke(text)).toEqual({ ok: false, code: 'wrong_capability' });
  });

  it('is unavailable without a store that stored it', async () => {
    const { grant } = await chain();
    const text = await mintRevocation({ ...minted, signer: bob, token: grant });
    const unavailable = { ok: false, code: 'unavailable' };
    expect(await createUcanAuth({ audiences: [ORACLE], now }).revoke(text)).toEqual(unavailable);
    const full = createUcanAuth({ audiences: [ORACLE], revocations: memoryRevocationStore(now, { inAll: 0 }), now });
    expect(await full.revoke(text)).toEqual(unavailable);
  });

  it('of an expired token is not stored', async () => {
    const recorded: string[] = [];
    const store = memoryRevocationStore(now);
    const revocations: RevocationStore = {
      ...store,
      revoke: async (revocation) => {
        recorded.push(revocation.cid);
        return store.revoke(revocation);
      },
    };
    const service = createUcanAuth({ audiences: [ORACLE], revocations, now });
    const ofExpiry = async (exp: number) =>
      service.revoke(
        await token({ att: [{ can: 'ucan/revoke', with: alice.did, nb: { ucan: cidOf(Buffer.of(1)), exp } }] }),
      );
    expect((await ofExpiry(NOW - 3600)).ok).toBe(true);
    expect(recorded).toEqual([]);
    expect((await ofExpiry(NOW + 3600)).ok).toBe(true);
    expect(recorded).toHaveLength(1);
  });

  it('is rate limited by address and by issuer', async () => {
    const allowanceOf = (limit: number): Allowance => {
      const taken = new Map<string, number>();
      return {
        take: async (holder) => {
          taken.set(holder, (taken.get(holder) ?? 0) + 1);
          return (taken.get(holder) ?? 0) > limit ? { ok: false, retryAfterSeconds: 7 } : { ok: true };
        },
      };
    };
    const revoking = { ofAddress: allowanceOf(4), ofIssuer: allowanceOf(2) };
    const service = createUcanAuth({ audiences: [ORACLE], revocations: memoryRevocationStore(now), revoking, now });
    const revoke = async (signer: typeof alice, address: string) => {
      const nb = { ucan: cidOf(Buffer.of(1)) };
      const att = [{ can: 'ucan/revoke', with: signer.did, nb }];
      return service.revoke(await token({ signer, att }), { address });
    };
    const limited = { ok: false, code: 'rate_limited', retryAfterSeconds: 7 };
    expect((await revoke(alice, 'here')).ok).toBe(true);
    expect((await revoke(alice, 'there')).ok).toBe(true);
    expect(await revoke(alice, 'there')).toEqual(limited);
    expect((await revoke(bob, 'here')).ok).toBe(true);
    expect(await service.revoke('nonsense', { address: 'here' })).toEqual({ ok: false, code: 'malformed' });
    expect((await revoke(mallory, 'here')).ok).toBe(true);
    expect(await revoke(mallory, 'here')).toEqual(limited);
    expect((await revoke(mallory, 'there')).ok).toBe(true);
  });

  it('is refused at the quota of its issuer', async () => {
    const revocations = memoryRevocationStore(now, { perIssuer: 1 });
    const service = createUcanAuth({ audiences: [ORACLE], revocations, now });
    const revoke = async (signer: typeof alice, what: number) =>
      service.revoke(
        await token({ signer, att: [{ can: 'ucan/revoke', with: signer.did, nb: { ucan: cidOf(Buffer.of(what)) } }] }),
      );
    expect((await revoke(alice, 1)).ok).toBe(true);
    expect(await revoke(alice, 2)).toEqual({ ok: false, code: 'no_room' });
    expect((await revoke(alice, 1)).ok).toBe(true);
    expect((await revoke(bob, 2)).ok).toBe(true);
  });

  it('ends an authenticated caller by any UCAN on its path, by issuers on the path only', async () => {
    const service = newService();
    const { grant, use } = await chain();
    const came = await service.handshake({ invocation: use });
    const path = came.ok ? came.caller.path : [];
    expect(path.map(({ issuer }) => issuer)).toEqual([alice.did, bob.did]);
    const takeBack = async (signer: typeof bob) =>
      service.revoke(await mintRevocation({ ...minted, signer, token: grant }));
    await takeBack(mallory);
    expect(await service.isAnyRevoked(path)).toBe(false);
    expect(await takeBack(bob)).toMatchObject({ ok: true, revoked: { cid: path[1]?.cid, issuer: bob.did } });
    expect(await service.isAnyRevoked(path)).toBe(true);
    expect(await createUcanAuth({ audiences: [ORACLE], now }).isAnyRevoked(path)).toBe(false);
  });

  it('is not accepted as an invocation or for another use', async () => {
    const { grant } = await chain();
    const text = await mintRevocation({ ...minted, signer: bob, token: grant });
    expect(await newService().invocation(text)).toEqual({ ok: false, code: 'wrong_capability' });
    await expect(mintRevocation({ ...minted, signer: bob, token: 'nothing' })).rejects.toThrow('what is to be revoked');
  });
});
