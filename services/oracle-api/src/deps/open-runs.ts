import type { RedisConnection } from '@mlango/service-kit/redis';
import { runLogChars } from '../limits.js';
import { MemoryRunSignals } from '../runs/memory-run-signals.js';
import { MemoryRunStore } from '../runs/memory-run-store.js';
import { RedisRunSignals } from '../runs/redis-run-signals.js';
import { RedisRunStore } from '../runs/redis-run-store.js';
import type { RunSignals } from '../runs/run-signals.js';
import type { RunStore } from '../runs/run-store.js';

/** With Redis any replica can read, resume and stop any run; without it the frames of runs are gone with the process. */
export function openRuns(
  redis: RedisConnection | undefined,
  times: { retentionMs: number; framesMs: number },
): { runs: RunStore; signals: RunSignals } {
  if (redis === undefined) {
    return {
      runs: new MemoryRunStore({ ...times, limitChars: runLogChars }, Date.now),
      signals: new MemoryRunSignals(),
    };
  }
  const subscriber = redis.subscriber('runs');
  return {
    runs: new RedisRunStore(redis.client, subscriber, times),
    signals: new RedisRunSignals(redis.client, subscriber),
  };
}
