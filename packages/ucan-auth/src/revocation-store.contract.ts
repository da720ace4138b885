import { describe, expect, it } from 'vitest';
import type { RevocationStore } from './revocation-store.js';

/** What every revocation store does. `open` gives an empty store whose clock stands at `nowSeconds`. */
export function revocationStoreContract(open: (nowSeconds: number) => Promise<RevocationStore>): void {
  const now = 1_800_000_000;
  const grant = { cid: 'bafygrant', issuer: 'did:key:zA' };
  const use = { cid: 'bafyuse', issuer: 'did:key:zB' };

  describe('a revocation store', () => {
    it('knows of no revocation at first', async () => {
      expect(await (await open(now)).isAnyRevoked([use, grant])).toBe(false);
    });

    it('knows a revocation as soon as it is recorded, and knows it once when recorded twice', async () => {
      const store = await open(now);
      await store.revoke({ ...grant, expiresAt: now + 60 });
      await store.revoke({ ...grant, expiresAt: now + 60 });
      expect(await store.isAnyRevoked([use, grant])).toBe(true);
      expect(await store.isAnyRevoked([use])).toBe(false);
    });

    it('counts a revocation by another issuer of the path', async () => {
      const store = await open(now);
      await store.revoke({ cid: use.cid, issuer: grant.issuer, expiresAt: now + 60 });
      expect(await store.isAnyRevoked([use, grant])).toBe(true);
    });

    it('does not count a revocation by somebody who is not on the path', async () => {
      const store = await open(now);
      await store.revoke({ cid: grant.cid, issuer: 'did:key:zMallory', expiresAt: now + 60 });
      expect(await store.isAnyRevoked([use, grant])).toBe(false);
    });

    it('keeps a revocation while others come and expire', async () => {
      const store = await open(now);
      await store.revoke({ ...grant, expiresAt: now + 60 });
      for (let index = 0; index < 20; index++) {
        await store.revoke({ cid: `bafyold${index}`, issuer: grant.issuer, expiresAt: now - 1 });
      }
      expect(await store.isAnyRevoked([grant])).toBe(true);
    });

    it('keeps a revocation for as long as the latest time it was recorded with', async () => {
      const store = await open(now);
      await store.revoke({ ...grant, expiresAt: Number.POSITIVE_INFINITY });
      for (let turn = 0; turn < 120; turn++) await store.revoke({ ...grant, expiresAt: now - 3600 });
      expect(await store.isAnyRevoked([grant])).toBe(true);
    });

    it('knows of none on an empty path', async () => {
      expect(await (await open(now)).isAnyRevoked([])).toBe(false);
    });

    it('records nothing with an expiry that is no time', async () => {
      await expect((await open(now)).revoke({ ...grant, expiresAt: Number.NaN })).rejects.toThrow(RangeError);
    });
  });
}
