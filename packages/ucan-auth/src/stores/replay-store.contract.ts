import { describe, expect, it } from 'vitest';
import type { ReplayStore } from './replay-store.js';

/**
 * What every replay store does. `open` gives an empty store whose clock stands at `nowSeconds`; `manyClaims` are more than come
 * between two of its sweeps.
 */
export function replayStoreContract(open: (nowSeconds: number) => Promise<ReplayStore>, manyClaims = 1500): void {
  const now = 1_800_000_000;

  describe('a replay store', () => {
    it('gives a token to the first who claims it and to nobody after', async () => {
      const store = await open(now);
      expect(await store.claim('bafyone', now + 60)).toBe(true);
      expect(await store.claim('bafyone', now + 60)).toBe(false);
      expect(await store.claim('bafyone', now + 600)).toBe(false);
      expect(await store.claim('bafytwo', now + 60)).toBe(true);
    });

    it('gives a token to one of many who claim it at once', async () => {
      const store = await open(now);
      const claims = await Promise.all(Array.from({ length: 50 }, () => store.claim('bafyone', now + 60)));
      expect(claims.filter(Boolean)).toHaveLength(1);
    });

    it('keeps a claim while many others come and expire', async () => {
      const store = await open(now);
      await store.claim('bafyone', now + 60);
      for (let index = 0; index < manyClaims; index++) await store.claim(`bafyold${index}`, now - 1);
      expect(await store.claim('bafyone', now + 60)).toBe(false);
    });

    it('keeps the claim of a token that never expires', async () => {
      const store = await open(now);
      expect(await store.claim('bafyever', Number.POSITIVE_INFINITY)).toBe(true);
      expect(await store.claim('bafyever', Number.POSITIVE_INFINITY)).toBe(false);
    });

    it('claims nothing for an expiry that is no time', async () => {
      await expect((await open(now)).claim('bafyone', Number.NaN)).rejects.toThrow(RangeError);
    });
  });
}
