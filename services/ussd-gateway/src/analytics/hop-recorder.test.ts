import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, describe, expect, it } from 'vitest';
import { anyRecord } from '../sessions/session-store.fixture.js';
import type { AnalyticsStore, CountsBatch } from './counts.js';
import { HopRecorder } from './hop-recorder.js';
import { MemoryAnalyticsStore } from './memory-analytics-store.js';

const recorders: HopRecorder[] = [];
afterEach(async () => {
  await Promise.all(recorders.splice(0).map((recorder) => recorder.close()));
});

function open(store: AnalyticsStore, maxWaiting = 100): HopRecorder {
  let ids = 0;
  const newId = () => String(ids++);
  const logger = createLogger({ service: 'test', level: 'silent' });
  const recorder = new HopRecorder({ store, logger, newId, now: () => 0, flushIntervalMs: 3_600_000, maxWaiting });
  recorders.push(recorder);
  return recorder;
}

const dial = () => ({ before: undefined, kind: 'dial', after: anyRecord({ shownAtMs: 0 }), answerMs: 1 });
const visits = async (store: AnalyticsStore) => (await store.read(0, 0)).get(0)?.get('default|preMenu|visit|1');

/** Stores the batch, then rejects. */
class LosingReplies extends MemoryAnalyticsStore {
  losing = true;
  override async add(batch: CountsBatch): Promise<void> {
    await super.add(batch);
    if (this.losing) throw new Error('the reply was lost');
  }
}

describe('the hop recorder', () => {
  it('stores nothing while hops run, and all counts at a flush', async () => {
    const store = new MemoryAnalyticsStore();
    const recorder = open(store);
    for (let hop = 0; hop < 1000; hop++) recorder.record(dial());
    expect(await visits(store)).toBeUndefined();
    await recorder.flush();
    expect(await visits(store)).toBe(1000);
  });

  it('counts once if the store added the counts and its reply was lost', async () => {
    const store = new LosingReplies();
    const recorder = open(store);
    recorder.record(dial());
    await recorder.flush();
    recorder.record(dial());
    await recorder.flush();
    store.losing = false;
    await recorder.flush();
    expect(await visits(store)).toBe(2);
  });

  it('drops the oldest counts of a long outage, and counts them', async () => {
    const kept = new MemoryAnalyticsStore();
    let away = true;
    const store: AnalyticsStore = {
      add: (batch) => (away ? Promise.reject(new Error('away')) : kept.add(batch)),
      read: (from, to) => kept.read(from, to),
    };
    const recorder = open(store, 3);
    for (let flush = 0; flush < 10; flush++) {
      recorder.record(dial());
      await recorder.flush();
    }
    away = false;
    await recorder.flush();
    await recorder.flush();
    expect(await visits(kept)).toBeLessThanOrEqual(3);
    expect(await visits(kept)).toBeGreaterThan(0);
    expect((await kept.read(0, 0)).get(0)?.get('uncounted')).toBeGreaterThan(0);
  });
});
