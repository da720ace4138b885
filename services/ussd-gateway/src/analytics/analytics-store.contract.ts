import { describe, expect, it } from 'vitest';
import { type AnalyticsStore, retentionHours } from './counts.js';

let nextId = 0;
const batch = (hour: number, counts: Record<string, number>) => {
  nextId += 1;
  return { id: `${process.pid}-${nextId}`, hour, counts: new Map(Object.entries(counts)) };
};

/** Guarantees of every analytics store. `open` returns an empty one. */
export function analyticsStoreContract(open: () => Promise<AnalyticsStore>): void {
  describe('an analytics store', () => {
    it('sums batches by hour and field, also below zero', async () => {
      const store = await open();
      await store.add(batch(100, { 'f|a|visit|': 2, 'f|a|open|3': 1 }));
      await store.add(batch(100, { 'f|a|visit|': 3, 'f|a|open|3': -4 }));
      await store.add(batch(101, { 'f|a|visit|': 7 }));
      const hours = await store.read(100, 101);
      expect(Object.fromEntries(hours.get(100) ?? [])).toEqual({ 'f|a|visit|': 5, 'f|a|open|3': -3 });
      expect(Object.fromEntries(hours.get(101) ?? [])).toEqual({ 'f|a|visit|': 7 });
    });

    it('adds a batch once, for any number of repeats', async () => {
      const store = await open();
      const once = batch(200, { 'f|a|visit|': 1 });
      await Promise.all([store.add(once), store.add(once), store.add(once)]);
      expect((await store.read(200, 200)).get(200)?.get('f|a|visit|')).toBe(1);
    });

    it('reads only the requested hours, and none without counts', async () => {
      const store = await open();
      await store.add(batch(300, { failed: 1 }));
      await store.add(batch(302, { failed: 1 }));
      const hours = await store.read(301, 301 + retentionHours - 1);
      expect(hours.has(300)).toBe(false);
      expect([...(hours.get(301) ?? [])]).toEqual([]);
      expect(hours.get(302)?.get('failed')).toBe(1);
    });
  });
}
