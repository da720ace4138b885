import { beforeEach, describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { type Count, type CountBatch, hourMs, slotsPerHour } from './count.js';
import { CountStore } from './count-store.js';
import { screenCounts } from './schema.js';

const shown: Count = {
  hour: 100,
  flow: 'default',
  version: 1,
  fromScreen: '',
  toScreen: 'menu',
  measure: 'dialled',
  bucket: 0,
  count: 1,
};

onDatabases((name, database) => {
  describe(`counts of screens in ${name}`, () => {
    let store: CountStore;
    let number = 0;
    const batch = (counts: readonly Count[], tenant = 'shop'): CountBatch => {
      number += 1;
      return { writer: 'one', number, hour: 100, counts: counts.map((count) => ({ tenant, ...count })) };
    };
    const read = (tenant = 'shop', time: object = {}) =>
      store.read(tenant, { fromHour: 0, toHour: 1000, firstOpenSlot: 0, ...time });
    const sums = async (...args: Parameters<typeof read>) =>
      Object.fromEntries(
        (await read(...args)).map(({ toScreen, measure, count }) => [`${toScreen} ${measure}`, count]),
      );

    beforeEach(async () => {
      store = new CountStore(database().db);
      await database().db.delete(screenCounts);
    });

    it('are summed over batches, hours and processes, also below zero', async () => {
      await store.add(batch([shown, { ...shown, measure: 'open', count: 1 }]));
      await store.add(
        batch([
          { ...shown, count: 3 },
          { ...shown, measure: 'open', count: -4 },
        ]),
      );
      await store.add({ ...batch([{ ...shown, hour: 101, count: 7 }]), writer: 'two', number: 1 });
      expect(await sums()).toEqual({ 'menu dialled': 11, 'menu open': -3 });
    });

    it('are added once for any number of repeats of a batch', async () => {
      const repeated = batch([shown]);
      await Promise.all([store.add(repeated), store.add(repeated), store.add(repeated)]);
      await store.add(batch([{ ...shown, toScreen: 'other' }]));
      expect(await sums()).toEqual({ 'menu dialled': 1, 'other dialled': 1 });
    });

    it('are stored by several processes at once without deadlocks', async () => {
      const screens = Array.from({ length: 40 }, (_, index) => ({ ...shown, toScreen: `s${index}` }));
      const batches = Array.from({ length: 12 }, (_, index) => {
        const counts = batch(index % 2 === 0 ? screens : screens.toReversed()).counts;
        return { writer: `process ${index}`, number: 1, hour: 100, counts };
      });
      await Promise.all(batches.map((one) => store.add(one)));
      expect(new Set((await read()).map(({ count }) => count))).toEqual(new Set([12]));
    });

    it('are read of one tenant, of the requested hours', async () => {
      await store.add(batch([shown, { ...shown, hour: 102, toScreen: 'late' }]));
      await store.add(batch([{ ...shown, toScreen: 'clinic' }], 'clinic'));
      expect(await sums('shop', { fromHour: 101 })).toEqual({ 'late dialled': 1 });
      expect(await sums('shop', { toHour: 101 })).toEqual({ 'menu dialled': 1 });
      expect(await sums('clinic')).toEqual({ 'clinic dialled': 1 });
    });

    it('distinguish abandoned visits from open ones by their slot', async () => {
      const open = { ...shown, measure: 'open' as const };
      await store.add(
        batch([
          { ...open, bucket: 2 },
          { ...open, bucket: 3, count: 4 },
          { ...open, bucket: 4, count: 8 },
        ]),
      );
      const firstOpenSlot = 100 * slotsPerHour + 4;
      expect(await sums('shop', { firstOpenSlot })).toEqual({ 'menu abandoned': 5, 'menu open': 8 });
    });

    it('are deleted eight days after their hour began, in batches', async () => {
      await store.add(
        batch([
          { ...shown, hour: 1 },
          { ...shown, hour: 2 },
          { ...shown, hour: 3 },
        ]),
      );
      const nowMs = (3 + 8 * 24) * hourMs;
      expect(await store.purge(nowMs, 1)).toBe(1);
      expect(await store.purge(nowMs, 10)).toBe(1);
      expect(await store.purge(nowMs, 10)).toBe(0);
      expect(await sums()).toEqual({ 'menu dialled': 1 });
    });
  });
});
