import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, medianOf } from './time-buckets.js';

describe('times in buckets', () => {
  it('have a median in the bucket of the true one', () => {
    const time = fc.double({ min: 0.05, max: 3_600_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 50 }), (times) => {
        const counts = new Map<number, number>();
        for (const ms of times) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
        const middle = times.toSorted((a, b) => a - b)[Math.ceil(times.length / 2) - 1] ?? 0;
        expect(bucketOf(medianOf(counts) ?? 0)).toBe(bucketOf(middle));
      }),
    );
  });

  it('have no median if there are none', () => expect(medianOf(new Map())).toBeNull());

  it('accept any number', () => {
    for (const ms of [0, -1, Number.POSITIVE_INFINITY, Number.NaN]) expect(bucketOf(ms)).toBeGreaterThan(0);
  });
});
