import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { once } from './once.js';
import { effectsDone } from './schema.js';

onDatabases((name, database) => {
  describe(`once on ${name}`, () => {
    const done = async (key: string) => {
      return database().db.select({ key: effectsDone.key }).from(effectsDone).where(eq(effectsDone.key, key));
    };

    it('does the work of a key once, also for twenty concurrent calls, and returns its outcome to all', async () => {
      let runs = 0;
      const pay = () =>
        once(database().db, `${name} pays`, async () => {
          runs += 1;
          await new Promise((resolve) => setImmediate(resolve));
          return { result: 'paid', facts: { reference: `R-${runs}` } };
        });
      const all = await Promise.all(Array.from({ length: 20 }, pay));
      expect(runs).toBe(1);
      expect(new Set(all.map(({ facts }) => facts?.['reference']))).toEqual(new Set(['R-1']));
    });

    it('has changed nothing after failed work, and allows a retry', async () => {
      const key = `${name} fails`;
      const fail = once(database().db, key, async () => Promise.reject(new Error('no')));
      await expect(fail).rejects.toThrow('no');
      expect(await done(key)).toEqual([]);
      expect(await once(database().db, key, async () => ({ result: 'paid' }))).toEqual({ result: 'paid' });
    });
  });
});
