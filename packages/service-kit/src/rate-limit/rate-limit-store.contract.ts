import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RateLimitStore } from './rate-limit-store.js';

export interface Subject {
  readonly store: () => RateLimitStore;
  /** Advances the store's time: by its clock if it has one, else by waiting. */
  readonly pass: (ms: number) => Promise<void>;
}

const MINUTE = 60_000;

/** The contract of every `RateLimitStore`. */
export function describeRateLimitStore(name: string, { store, pass }: Subject): void {
  const fresh = (): string => randomUUID();

  describe(name, () => {
    it('counts from 1, separately for each key', async () => {
      const [one, two] = [fresh(), fresh()];
      expect((await store().hit(one, MINUTE)).count).toBe(1);
      expect((await store().hit(one, MINUTE)).count).toBe(2);
      expect((await store().hit(two, MINUTE)).count).toBe(1);
    });

    it('adds the cost of a hit', async () => {
      const key = fresh();
      await store().hit(key, MINUTE, 5);
      expect((await store().hit(key, MINUTE, 2)).count).toBe(7);
    });

    it('returns hits of a negative cost', async () => {
      const key = fresh();
      await store().hit(key, MINUTE, 5);
      await store().hit(key, MINUTE, -2);
      expect((await store().hit(key, MINUTE)).count).toBe(4);
    });

    it('reports the end of the window, which later hits do not prolong', async () => {
      const key = fresh();
      const first = await store().hit(key, MINUTE);
      expect(first.resetMs).toBe(MINUTE);
      await pass(20);
      const later = await store().hit(key, MINUTE);
      expect(later.resetMs).toBeLessThan(MINUTE);
      expect(later.resetMs).toBeGreaterThan(0);
    });

    it('starts again once the window has ended, with or without hits', async () => {
      const key = fresh();
      let last = await store().hit(key, 80);
      // On a busy machine a window may end between two hits.
      for (let tries = 0; last.count !== 2 && tries < 100; tries += 1) last = await store().hit(key, 80);
      expect(last.count).toBe(2);
      // Hits all the while: a window that they prolonged would never end.
      for (let round = 0; last.count !== 1 && round < 100; round += 1) {
        await pass(20);
        last = await store().hit(key, 80);
      }
      expect(last.count).toBe(1);
    });

    it('separates two window lengths of one key', async () => {
      const key = fresh();
      await store().hit(key, MINUTE);
      expect((await store().hit(key, 2 * MINUTE)).count).toBe(1);
    });

    it('resets one window of one key, and accepts an unknown one', async () => {
      const [one, two] = [fresh(), fresh()];
      for (const key of [one, two]) await store().hit(key, MINUTE);
      await store().hit(one, 2 * MINUTE);
      await store().forget(one, MINUTE);
      await store().forget(fresh(), MINUTE);
      expect(await store().hit(one, MINUTE)).toEqual({ count: 1, resetMs: MINUTE });
      expect((await store().hit(two, MINUTE)).count).toBe(2);
      expect((await store().hit(one, 2 * MINUTE)).count).toBe(2);
    });

    it('accepts any text as a key and confuses no two', async () => {
      const base = fresh();
      const odd = [
        '',
        ' ',
        ':',
        '{',
        '}',
        '{}',
        '%7B',
        '\u0000',
        '\n',
        'é',
        '😀',
        '\ud800',
        '\ud801',
        'x'.repeat(5_000),
      ];
      const keys = [...odd.map((text) => `${base}${text}`), `${base}${'x'.repeat(5_001)}`];
      for (const key of keys) expect([key, (await store().hit(key, MINUTE)).count]).toEqual([key, 1]);
      for (const key of keys) expect([key, (await store().hit(key, MINUTE)).count]).toEqual([key, 2]);
    });

    it('gives concurrent hits the counts 1 to N, each exactly once', async () => {
      const hits = fc.integer({ min: 1, max: 60 });
      await fc.assert(
        fc.asyncProperty(hits, async (size) => {
          const key = fresh();
          const results = await Promise.all(Array.from({ length: size }, () => store().hit(key, MINUTE)));
          const counts = results.map(({ count }) => count).sort((a, b) => a - b);
          expect(counts).toEqual(Array.from({ length: size }, (_, index) => index + 1));
        }),
        { numRuns: 15 },
      );
    });
  });
}
