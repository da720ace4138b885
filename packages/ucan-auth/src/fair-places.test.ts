import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairPlaces, type Place } from './fair-places.js';

describe('places that are shared', () => {
  it('are all for one holder while nobody else comes', () => {
    const places = new FairPlaces(4);
    const taken = Array.from({ length: 5 }, () => places.take('a', () => expect.unreachable()));
    expect(taken.map((place) => place !== undefined)).toEqual([true, true, true, true, false]);
    taken[0]?.release();
    taken[0]?.release();
    expect(places.take('a', () => {})).toBeDefined();
    expect(places.take('a', () => {})).toBeUndefined();
  });

  it('go from whoever has the most to who comes new, the last one taken first', () => {
    const places = new FairPlaces(4);
    const lost: number[] = [];
    for (let turn = 0; turn < 4; turn++) places.take('greedy', () => lost.push(turn));
    expect(places.take('b', () => {})).toBeDefined();
    expect(places.take('b', () => {})).toBeDefined();
    expect(lost).toEqual([3, 2]);
    // Two and two: nobody has to give.
    expect(places.take('b', () => {})).toBeUndefined();
    expect(places.take('greedy', () => {})).toBeUndefined();
  });

  it('are never more than there are, and of m holders who want some each has its share', () => {
    const wishes = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(wishes, fc.integer({ min: 6, max: 20 }), (holders, limit) => {
        const places = new FairPlaces(limit);
        const held = new Map<string, Set<Place>>();
        for (const holder of holders.map(String)) {
          const own = held.get(holder) ?? new Set<Place>();
          held.set(holder, own);
          const taken: { place?: Place | undefined } = {};
          taken.place = places.take(holder, () => taken.place !== undefined && own.delete(taken.place));
          if (taken.place !== undefined) own.add(taken.place);
        }
        const sizes = [...held.values()].map((own) => own.size);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(Math.min(limit, holders.length));
        for (const [holder, own] of held) {
          const wanted = holders.filter((other) => String(other) === holder).length;
          expect(own.size).toBeGreaterThanOrEqual(Math.min(wanted, Math.floor(limit / held.size)));
        }
      }),
    );
  });
});
