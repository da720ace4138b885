import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batchPerTick } from './tick-batch.js';

describe('calls in one turn of the event loop', () => {
  it('are batched up to a limit, and later calls form another batch', async () => {
    const batches: number[] = [];
    const query = batchPerTick(async (questions: readonly number[]) => {
      batches.push(questions.length);
      await turn();
      return new Set(questions);
    });
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
    const query = batchPerTick(async () => {
      if (isUnavailable) throw new Error('unavailable');
      return 'there';
    });
    const failed = await Promise.allSettled([query(1), query(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isUnavailable = false;
    expect(await query(3)).toBe('there');
  });
});
