/**
 * Loaded before a program: tells the parent process how long the program's main thread worked at most before it came to
 * its timers again, and what it holds, when asked. The thread's own time is what counts: a busy machine lets everybody wait.
 */
import { threadTime } from './thread-time.js';

export interface Gauge {
  readonly longestBlockMs: number;
  readonly heapBytes: number;
  readonly rssBytes: number;
}

const EVERY_MS = 2;

let longestBlockMs = 0;
let before = threadTime(process.pid).workedMs;
const timer = setInterval(() => {
  const now = threadTime(process.pid).workedMs;
  longestBlockMs = Math.max(longestBlockMs, now - before);
  before = now;
}, EVERY_MS);
timer.unref();

process.on('message', () => {
  const longest = longestBlockMs;
  // What is not needed any more is not held. It takes its time, which is this file's own.
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const gauge: Gauge = { longestBlockMs: longest, heapBytes: heapUsed, rssBytes: rss };
  process.send?.(gauge);
  before = threadTime(process.pid).workedMs;
  longestBlockMs = 0;
});
// The listener alone must not keep the program alive.
process.channel?.unref();
