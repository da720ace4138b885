import type { RedisConnection } from '@mlango/service-kit/redis';
import { runLogChars } from '../limits.js';
import { MemoryRunStore } from '../runs/log/memory.js';
import { RedisRunStore } from '../runs/log/redis.js';
import type { RunStore } from '../runs/log/store.js';
import { RedisRunSignals } from '../runs/redis-signals.js';
import { MemoryRunSignals, type RunSignals } from '../runs/signals.js';

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
