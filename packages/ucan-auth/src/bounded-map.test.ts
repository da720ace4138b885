import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.js';

describe('BoundedMap', () => {
  it('never holds more than its limit, and never gives anything but what was set last', () => {
    const key = fc.integer({ min: 0, max: 40 });
    const step = fc.record({ kind: fc.constantFrom('get', 'set', 'delete'), key });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
        const map = new BoundedMap<number, number>(limit);
        const last = new Map<number, number>();
        for (const [index, { kind, key: at }] of steps.entries()) {
          if (kind === 'set') {
            map.set(at, index);
            last.set(at, index);
            expect(map.get(at)).toBe(index);
          } else if (kind === 'delete') {
            map.delete(at);
            last.delete(at);
          } else {
            const value = map.get(at);
            if (value !== undefined) expect(value).toBe(last.get(at));
          }
          expect(map.size).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('keeps what is used while others come and go', () => {
    const map = new BoundedMap<string, string>(10);
    map.set('used', 'here');
    map.set('left', 'here');
    for (let index = 0; index < 100; index++) {
      map.set(`other ${index}`, 'here');
      expect(map.get('used')).toBe('here');
    }
    expect(map.get('left')).toBeUndefined();
  });

  it('keeps at least half of its limit, whatever was used', () => {
    const map = new BoundedMap<number, true>(10);
    for (let index = 0; index < 100; index++) map.set(index, true);
    for (let index = 95; index < 100; index++) expect(map.get(index)).toBe(true);
  });

  it('forgets what matches, of whatever age', () => {
    const map = new BoundedMap<number, number>(6);
    for (let index = 0; index < 6; index++) map.set(index, index);
    map.deleteWhere((value) => value % 2 === 0);
    expect([0, 1, 2, 3, 4, 5].map((index) => map.get(index))).toEqual([undefined, 1, undefined, 3, undefined, 5]);
  });
});
