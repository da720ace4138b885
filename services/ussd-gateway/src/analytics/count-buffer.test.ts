import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, describe, expect, it } from 'vitest';
import { type Count, type CountBatch, countOf } from './count.js';
import { CountBuffer } from './count-buffer.js';

const buffers: CountBuffer[] = [];
afterEach(async () => {
  await Promise.all(buffers.splice(0).map((buffer) => buffer.close()));
});

/** A store that can be unavailable. */
function open(options: { maxCounts?: number } = {}) {
  const batches: CountBatch[] = [];
  const store = {
    isDown: false,
    add: async (batch: CountBatch) => {
      batches.push(batch);
      if (store.isDown) throw new Error('unavailable');
    },
  };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const buffer = new CountBuffer({
    store,
    logger,
    writer: 'one',
    clock: () => 0,
    flushIntervalMs: 3_600_000,
    ...options,
  });
  buffers.push(buffer);
  return { buffer, store, batches };
}

const failed = countOf('failed', 1, 0);
const on = (toScreen: string): Count => ({ ...failed, measure: 'dialled', toScreen });

describe('the buffer of counts', () => {
  it('stores nothing while hops run, and the sums of each tenant at a flush', async () => {
    const { buffer, batches } = open();
    for (let hop = 0; hop < 1000; hop++) buffer.add(hop % 4 === 0 ? 'clinic' : 'shop', on('menu'));
    expect(batches).toEqual([]);
    await buffer.flush();
    const counts = [
      { tenant: 'clinic', ...on('menu'), count: 250 },
      { tenant: 'shop', ...on('menu'), count: 750 },
    ];
    expect(batches).toEqual([{ writer: 'one', number: 1, hour: 0, counts }]);
    await buffer.flush();
    expect(batches).toHaveLength(1);
  });

  it('repeats a batch unchanged until it is stored, then stores the counts since', async () => {
    const { buffer, store, batches } = open();
    store.isDown = true;
    buffer.add('shop', on('menu'));
    await buffer.flush();
    buffer.add('shop', on('menu'));
    await buffer.flush();
    store.isDown = false;
    await buffer.flush();
    const [first, ...rest] = batches.map(({ number, counts }) => ({ number, count: counts[0]?.count }));
    expect(first).toEqual({ number: 1, count: 1 });
    expect(rest.at(-1)).toEqual({ number: 2, count: 1 });
    expect(rest.slice(0, -1).every(({ number }) => number === 1)).toBe(true);
  });

  it('is bounded while the store is unavailable, and reports dropped counts', async () => {
    const { buffer, batches } = open({ maxCounts: 50 });
    for (let hop = 0; hop < 1000; hop++) buffer.add('shop', on(`screen${hop}`));
    buffer.add('shop', on('screen0'));
    await buffer.flush();
    const counts = batches[0]?.counts ?? [];
    expect(counts).toHaveLength(51);
    expect(counts[0]).toMatchObject({ toScreen: 'screen0', count: 2 });
    expect(counts.at(-1)).toEqual({ tenant: 'shop', ...countOf('uncounted', 950, 0) });
  });

  it('stores the last counts when it closes', async () => {
    const { buffer, batches } = open();
    buffer.add('shop', failed);
    await buffer.close();
    expect(batches).toHaveLength(1);
  });
});
