import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DelegationStore } from './delegation-store.js';

/** What every adapter of the port guarantees. */
export function delegationStoreContract(name: string, open: () => DelegationStore): void {
  describe(`${name} keeps delegations`, () => {
    it('keeps one for each user, the newest, with its end or without one', async () => {
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
