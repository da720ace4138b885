import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batched } from './batch.js';

describe('calls in one turn of the event loop', () => {
  it('are batched up to a limit, and later calls form another batch', async () => {
    const batches: number[] = [];
    const query = batched(
      async (items: readonly number[]) => {
        batches.push(items.length);
        await turn();
        return new Set(items);
      },
      { limit: 500 },
    );
    const first = await Promise.all(Array.from({ length: 501 }, async (_, index) => (await query(index)).has(index)));
    expect(first.every(Boolean)).toBe(true);
    const running = query(1);
    await turn();
    const later = query(2);
    expect([[...(await running)], [...(await later)]]).toEqual([[1], [2]]);
    expect(batches).toEqual([500, 1, 1, 1]);
  });

  it('fail together, without later calls', async () => {
    let isUnavailable = true;
    const query = batched(
      async () => {
        if (isUnavailable) throw new Error('unavailable');
        return 'there';
      },
      { limit: 10 },
    );
    const failed = await Promise.allSettled([query(1), query(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isUnavailable = false;
    expect(await query(3)).toBe('there');
  });

  it('run one batch at a time on request, each within the limit, for any timing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.nat(50), { maxLength: 20 }), { maxLength: 6 }), async (turns) => {
        const batches: (readonly number[])[] = [];
        let running = 0;
        const query = batched(
          async (items: readonly number[]) => {
            running += 1;
            expect(running).toBe(1);
            batches.push(items);
            await turn();
            running -= 1;
            return items;
          },
          { limit: 7, isSerial: true },
        );
        const results: Promise<void>[] = [];
        for (const items of turns) {
          for (const item of items) results.push(query(item).then((batch) => expect(batch).toContain(item)));
          await turn();
        }
        await Promise.all(results);
        expect(Math.max(0, ...batches.map((items) => items.length))).toBeLessThanOrEqual(7);
        const sorted = (items: number[][]) => items.flat().toSorted((a, b) => a - b);
        expect(sorted(batches.map((items) => [...items]))).toEqual(sorted(turns));
      }),
    );
  });
});
