import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DelegationStore } from './delegation-store.js';

/** Contract tests for every adapter of the port. */
export function delegationStoreContract(name: string, open: () => DelegationStore): void {
  describe(`${name} stores delegations`, () => {
    it('stores one for each user, the newest, with or without an expiry', async () => {
      const store = open();
      const [asha, bo] = [`did:key:${randomUUID()}`, `did:key:${randomUUID()}`];
      expect(await store.find(asha)).toBeUndefined();
      await store.put(asha, { sealed: 'one', expiresAt: 4_102_444_800 });
      await store.put(bo, { sealed: 'other' });
      expect(await store.find(asha)).toEqual({ sealed: 'one', expiresAt: 4_102_444_800 });
      await store.put(asha, { sealed: 'two' });
      expect(await store.find(asha)).toEqual({ sealed: 'two' });
      expect(await store.find(bo)).toEqual({ sealed: 'other' });
    });

    it('lists them in pages without duplicates', async () => {
      const store = open();
      const dids = Array.from({ length: 5 }, () => `did:key:${randomUUID()}`);
      for (const did of dids) await store.put(did, { sealed: `of ${did}` });
      const seen: string[] = [];
      for (let after = ''; ; ) {
        const part = await store.list(after, 2);
        expect(part.length).toBeLessThanOrEqual(2);
        const last = part.at(-1);
        if (last === undefined) break;
        for (const { ownerDid, sealed } of part) if (sealed === `of ${ownerDid}`) seen.push(ownerDid);
        after = last.ownerDid;
      }
      expect(seen.filter((did) => dids.includes(did)).toSorted()).toEqual(dids.toSorted());
    });

    it('re-encrypts a record only if it is unchanged', async () => {
      const store = open();
      const asha = `did:key:${randomUUID()}`;
      await store.put(asha, { sealed: 'one', expiresAt: 4_102_444_800 });
      expect(await store.reseal(asha, 'another', 'unused')).toBe(false);
      expect(await store.reseal(asha, 'one', 'two')).toBe(true);
      expect(await store.find(asha)).toEqual({ sealed: 'two', expiresAt: 4_102_444_800 });
      expect(await store.reseal(`did:key:${randomUUID()}`, 'one', 'two')).toBe(false);
    });

    it('deletes that of one user only, once', async () => {
      const store = open();
      const [asha, bo] = [`did:key:${randomUUID()}`, `did:key:${randomUUID()}`];
      await store.put(asha, { sealed: 'one' });
      await store.put(bo, { sealed: 'other' });
      expect(await store.delete(asha)).toBe(true);
      expect(await store.delete(asha)).toBe(false);
      expect(await store.find(asha)).toBeUndefined();
      expect(await store.find(bo)).toBeDefined();
    });
  });
}
