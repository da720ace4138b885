import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, medianOf } from './sums.js';

describe('durations in buckets', () => {
  it('have a median within a tenth of the true one', () => {
    const duration = fc.double({ min: 0.05, max: 3_600_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1, maxLength: 50 }), (durations) => {
        const counts = new Map<number, number>();
        for (const ms of durations) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
        const middle = durations.toSorted((a, b) => a - b)[Math.ceil(durations.length / 2) - 1] ?? 0;
        const median = medianOf(counts) ?? 0;
        expect(median / middle).toBeGreaterThan(0.9);
        expect(median / middle).toBeLessThan(1.1);
      }),
    );
  });

  it('have no median if there are none', () => expect(medianOf(new Map())).toBeNull());

  it('accept any number', () => {
    for (const ms of [0, -1, Number.POSITIVE_INFINITY]) expect(Number.isInteger(bucketOf(ms))).toBe(true);
  });
});
