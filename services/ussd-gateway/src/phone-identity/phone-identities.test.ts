import { randomBytes } from 'node:crypto';
import { type Keyring, keyringOf } from '@mlango/crypto/keyring';
import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { PhoneIdentities } from './phone-identities.js';
import type { PhoneIdentity } from './sql-phone-identity-store.js';

const oracleDid = 'did:ixo:entity:oracle';
const auth = createUcanAuth({ audiences: [oracleDid], revocations: memoryRevocationStore() });
const [oldKey, newKey] = [1, 2].map((nr) => ({ id: `k${nr}`, bytes: Buffer.alloc(32, nr) })) as [Key, Key];
type Key = { id: string; bytes: Buffer };
const phone = '+254711000001';

let stored: PhoneIdentity | undefined;
beforeEach(() => {
  stored = undefined;
});
const store = {
  find: async () => stored,
  save: async (made: Omit<PhoneIdentity, 'sessionId'>) => (stored ??= { ...made, sessionId: undefined }),
  setGrant: async (_: string, sealedGrant: string) => {
    if (stored !== undefined) stored = { ...stored, sealedGrant };
  },
};
const open = (keyring: Keyring) => new PhoneIdentities({ store, keyring, oracleDid, randomBytes });
const show = (token: string) =>
  auth.request({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' }, {}, converseAbility);

describe('a phone at the oracle', () => {
  it('has its own key, by which the gateway converses under its own name', async () => {
    const identities = open(keyringOf([oldKey]));
    const identity = await identities.of(phone);
    expect(await identities.of(phone)).toEqual(identity);
    const outcome = await show(await identities.toConverse(identity));
    expect(outcome).toMatchObject({
      ok: true,
      caller: { did: identity.did, actor: expect.stringMatching(/^did:key:z6Mk/) },
    });
    expect(outcome.ok && outcome.caller.actor).not.toBe(identity.did);
    const own = await show(await identities.toAct(identity));
    expect(own).toMatchObject({ ok: true, caller: { did: identity.did } });
  });

  it('keeps its DID on key rotation: the grant is renewed once, with the old key', async () => {
    const { did, sealedGrant } = await open(keyringOf([oldKey])).of(phone);
    const turned = open(keyringOf([newKey, oldKey]));
    expect(await show(await turned.toConverse(await turned.of(phone)))).toMatchObject({ ok: true, caller: { did } });
    expect(stored?.sealedGrant).not.toBe(sealedGrant);
    const after = open(keyringOf([newKey]));
    expect(await show(await after.toConverse(await after.of(phone)))).toMatchObject({ ok: true, caller: { did } });
  });

  it('is sealed completely under the current key, and then needs no other', async () => {
    const old = open(keyringOf([oldKey]));
    const identity = await old.of(phone);
    const link = await old.link(identity, 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH');
    const sealed = { ...identity, sealedLink: link.sealed };
    const resealed = open(keyringOf([newKey, oldKey])).reseal(sealed);
    if (resealed === undefined) throw new Error('it was not sealed again');
    const after = open(keyringOf([newKey]));
    expect(after.reseal(resealed)).toBeUndefined();
    expect(() => after.reseal(sealed)).toThrow('does not open');
    const now = { ...identity, ...resealed };
    expect(await show(await after.toAct(now))).toMatchObject({ ok: true, caller: { did: identity.did } });
    expect((await auth.revoke(await after.toUnlink(now, resealed.sealedLink ?? ''))).ok).toBe(true);
  });

  it('has no number in tokens, and its sealed values do not open for another phone', async () => {
    const identities = open(keyringOf([oldKey]));
    const first = await identities.of(phone);
    const tokens = [await identities.toConverse(first), await identities.toAct(first)];
    for (const token of tokens) expect(Buffer.from(token, 'base64').toString('latin1')).not.toContain('711000001');
    stored = undefined;
    const second = await identities.of('+254711000002');
    await expect(identities.toAct({ ...second, sealedSeed: first.sealedSeed })).rejects.toThrow('does not open');
  });
});
