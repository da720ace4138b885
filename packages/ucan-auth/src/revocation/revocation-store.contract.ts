import { describe, expect, it } from 'vitest';
import type { RevocationQuota, RevocationStore } from './revocation-store.js';

/** What every revocation store does. `open` gives an empty store whose clock stands at `nowSeconds`. */
export function revocationStoreContract(
  open: (nowSeconds: number, quota?: RevocationQuota) => Promise<RevocationStore>,
): void {
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

    it('keeps as many of one issuer as it may, however many come at once, and those of others', async () => {
      const store = await open(now, { perIssuer: 5 });
      const revoke = (index: number, issuer = 'did:key:zA', expiresAt = now + 60) =>
        store.revoke({ cid: `bafy${index}`, issuer, expiresAt });
      const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => revoke(index)));
      expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(5);
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(7);
      const known = await Promise.all(
        outcomes.map((_, index) => store.isAnyRevoked([{ cid: `bafy${index}`, issuer: 'did:key:zA' }])),
      );
      expect(known).toEqual(outcomes.map((outcome) => outcome === 'recorded'));
      expect(await revoke(outcomes.indexOf('recorded'), 'did:key:zA', now + 120)).toBe('recorded');
      expect(await revoke(100, 'did:key:zB')).toBe('recorded');
    });

    it('does not count what has expired', async () => {
      const store = await open(now, { perIssuer: 1 });
      await store.revoke({ cid: 'bafyold', issuer: 'did:key:zA', expiresAt: now - 120 });
      expect(await store.revoke({ ...grant, expiresAt: now + 60 })).toBe('recorded');
    });

    it('rejects when there is no room for another one of anybody', async () => {
      const store = await open(now, { inAll: 1 });
      await store.revoke({ ...grant, expiresAt: now + 60 });
      // A store that counts now and then may take some more.
      const more = Array.from({ length: 120 }, (_, index) => index);
      const outcomes = [];
      for (const index of more) {
        const revocation = { cid: `bafy${index}`, issuer: `did:key:z${index}`, expiresAt: now + 60 };
        outcomes.push(await store.revoke(revocation).catch(() => 'rejected'));
      }
      expect(outcomes.at(-1)).toBe('rejected');
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
