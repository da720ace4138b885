import { describe, expect, it } from 'vitest';
import type { ReplayStore } from './replay-store.js';

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
