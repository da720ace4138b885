import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, describe, expect, it } from 'vitest';
import { type Count, type CountBatch, countOf } from './counts.js';
import { HopRecorder } from './hop-recorder.js';

const recorders: HopRecorder[] = [];
afterEach(async () => {
  await Promise.all(recorders.splice(0).map((recorder) => recorder.close()));
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
  const recorder = new HopRecorder({
    ...{ store, logger, writer: 'one', clock: () => 0, flushIntervalMs: 3_600_000, ...options },
  });
  recorders.push(recorder);
  return { recorder, store, batches };
}

const failed = countOf('failed', 1, 0);
const on = (toScreen: string): Count => ({ ...failed, measure: 'dialled', toScreen });

describe('the hop recorder', () => {
  it('stores nothing while hops run, and the sums of each tenant at a flush', async () => {
    const { recorder, batches } = open();
    for (let hop = 0; hop < 1000; hop++) recorder.add(hop % 4 === 0 ? 'clinic' : 'shop', on('menu'));
    expect(batches).toEqual([]);
    await recorder.flush();
    const counts = [
      { tenant: 'clinic', ...on('menu'), count: 250 },
      { tenant: 'shop', ...on('menu'), count: 750 },
    ];
    expect(batches).toEqual([{ writer: 'one', number: 1, hour: 0, counts }]);
    await recorder.flush();
    expect(batches).toHaveLength(1);
  });

  it('repeats a batch unchanged until it is stored, then stores the counts since', async () => {
    const { recorder, store, batches } = open();
    store.isDown = true;
    recorder.add('shop', on('menu'));
    await recorder.flush();
    recorder.add('shop', on('menu'));
    await recorder.flush();
    store.isDown = false;
    await recorder.flush();
    const [first, ...rest] = batches.map(({ number, counts }) => ({ number, count: counts[0]?.count }));
    expect(first).toEqual({ number: 1, count: 1 });
    expect(rest.at(-1)).toEqual({ number: 2, count: 1 });
    expect(rest.slice(0, -1).every(({ number }) => number === 1)).toBe(true);
  });

  it('is bounded while the store is unavailable, and reports dropped counts', async () => {
    const { recorder, batches } = open({ maxCounts: 50 });
    for (let hop = 0; hop < 1000; hop++) recorder.add('shop', on(`screen${hop}`));
    recorder.add('shop', on('screen0'));
    await recorder.flush();
    const counts = batches[0]?.counts ?? [];
    expect(counts).toHaveLength(51);
    expect(counts[0]).toMatchObject({ toScreen: 'screen0', count: 2 });
    expect(counts.at(-1)).toEqual({ tenant: 'shop', ...countOf('uncounted', 950, 0) });
  });

  it('stores the last counts when it closes', async () => {
    const { recorder, batches } = open();
    recorder.add('shop', failed);
    await recorder.close();
    expect(batches).toHaveLength(1);
  });
});
