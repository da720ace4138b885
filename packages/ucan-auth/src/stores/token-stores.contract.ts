import { describe, expect, it } from 'vitest';
import type { ReplayStore, RevocationQuota, RevocationStore } from './token-stores.js';

/** Guarantees of every revocation store. `open` gives an empty store with its clock at `nowSeconds`. */
export function revocationStoreContract(
  open: (nowSeconds: number, quota?: RevocationQuota) => Promise<RevocationStore>,
): void {
  const now = 1_800_000_000;
  const grant = { cid: 'bafygrant', issuer: 'did:key:zA' };
  const use = { cid: 'bafyuse', issuer: 'did:key:zB' };

  describe('a revocation store', () => {
    it('is empty at first', async () => {
      expect(await (await open(now)).isAnyRevoked([use, grant])).toBe(false);
    });

    it('finds a revocation as soon as it is stored, idempotently', async () => {
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

    it('ignores a revocation by a DID that is not on the path', async () => {
      const store = await open(now);
      await store.revoke({ cid: grant.cid, issuer: 'did:key:zMallory', expiresAt: now + 60 });
      expect(await store.isAnyRevoked([use, grant])).toBe(false);
    });

    it('retains a revocation while others are added and expire', async () => {
      const store = await open(now);
      await store.revoke({ ...grant, expiresAt: now + 60 });
      for (let index = 0; index < 20; index++) {
        await store.revoke({ cid: `bafyold${index}`, issuer: grant.issuer, expiresAt: now - 1 });
      }
      expect(await store.isAnyRevoked([grant])).toBe(true);
    });

    it('retains a revocation until the latest of its expiries', async () => {
      const store = await open(now);
      await store.revoke({ ...grant, expiresAt: Number.POSITIVE_INFINITY });
      for (let turn = 0; turn < 120; turn++) await store.revoke({ ...grant, expiresAt: now - 3600 });
      expect(await store.isAnyRevoked([grant])).toBe(true);
    });

    it('stores the quota of one issuer under concurrency, and revocations of other issuers', async () => {
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

    it('does not count expired revocations', async () => {
      const store = await open(now, { perIssuer: 1 });
      await store.revoke({ cid: 'bafyold', issuer: 'did:key:zA', expiresAt: now - 120 });
      expect(await store.revoke({ ...grant, expiresAt: now + 60 })).toBe('recorded');
    });

    it('rejects at the limit of all revocations', async () => {
      const store = await open(now, { inAll: 1 });
      await store.revoke({ ...grant, expiresAt: now + 60 });
      // A store that does not count every time may accept some more.
      const more = Array.from({ length: 120 }, (_, index) => index);
      const outcomes = [];
      for (const index of more) {
        const revocation = { cid: `bafy${index}`, issuer: `did:key:z${index}`, expiresAt: now + 60 };
        outcomes.push(await store.revoke(revocation).catch(() => 'rejected'));
      }
      expect(outcomes.at(-1)).toBe('rejected');
      expect(await store.isAnyRevoked([grant])).toBe(true);
    });

    it('finds nothing on an empty path', async () => {
      expect(await (await open(now)).isAnyRevoked([])).toBe(false);
    });

    it('rejects an expiry that is not a number', async () => {
      await expect((await open(now)).revoke({ ...grant, expiresAt: Number.NaN })).rejects.toThrow(RangeError);
    });
  });
}

/**
 * Guarantees of every replay store.
 * @param open gives an empty store with its clock at `nowSeconds`
 * @param manyClaims more claims than between two of its sweeps
 */
export function replayStoreContract(open: (nowSeconds: number) => Promise<ReplayStore>, manyClaims = 1500): void {
  const now = 1_800_000_000;

  describe('a replay store', () => {
    it('grants the first claim of a token only', async () => {
      const store = await open(now);
      expect(await store.claim('bafyone', now + 60)).toBe(true);
      expect(await store.claim('bafyone', now + 60)).toBe(false);
      expect(await store.claim('bafyone', now + 600)).toBe(false);
      expect(await store.claim('bafytwo', now + 60)).toBe(true);
    });

    it('grants one of many concurrent claims', async () => {
      const store = await open(now);
      const claims = await Promise.all(Array.from({ length: 50 }, () => store.claim('bafyone', now + 60)));
      expect(claims.filter(Boolean)).toHaveLength(1);
    });

    it('retains a claim while others are added and expire', async () => {
      const store = await open(now);
      await store.claim('bafyone', now + 60);
      for (let index = 0; index < manyClaims; index++) await store.claim(`bafyold${index}`, now - 1);
      expect(await store.claim('bafyone', now + 60)).toBe(false);
    });

    it('retains the claim of a token without expiry', async () => {
      const store = await open(now);
      expect(await store.claim('bafyever', Number.POSITIVE_INFINITY)).toBe(true);
      expect(await store.claim('bafyever', Number.POSITIVE_INFINITY)).toBe(false);
    });

    it('rejects an expiry that is not a number', async () => {
      await expect((await open(now)).claim('bafyone', Number.NaN)).rejects.toThrow(RangeError);
    });
  });
}
