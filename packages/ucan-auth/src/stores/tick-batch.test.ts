import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batchPerTick } from './tick-batch.js';

describe('what is asked in one turn of the event loop', () => {
  it('is asked together, so many at a time, and what comes later by itself', async () => {
    const askings: number[] = [];
    const ask = batchPerTick(async (questions: readonly number[]) => {
      askings.push(questions.length);
      await turn();
      return new Set(questions);
    });
    const first = await Promise.all(Array.from({ length: 501 }, async (_, index) => (await ask(index)).has(index)));
    expect(first.every(Boolean)).toBe(true);
    const under = ask(1);
    await turn();
    const later = ask(2);
    expect([[...(await under)], [...(await later)]]).toEqual([[1], [2]]);
    expect(askings).toEqual([500, 1, 1, 1]);
  });

  it('fails together, and only that', async () => {
    let isAway = true;
    const ask = batchPerTick(async () => {
      if (isAway) throw new Error('away');
      return 'there';
    });
    const failed = await Promise.allSettled([ask(1), ask(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await ask(3)).toBe('there');
  });
});
