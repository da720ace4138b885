/**
 * Loaded before a program: tells the parent process how long the program's main thread took at most before it came to
 * its timers again, and what it holds, when asked. Beside what the clock says stands what the thread worked of it, as the
 * kernel counts: on a busy machine everybody waits for a processor, and that is nothing a program can mend.
 */
import { threadTime } from './thread-time.js';

export interface Gauge {
  /** The most that the thread worked in one go. */
  readonly longestBlockMs: number;
  /** The longest go by the clock, and what of it the thread waited for a processor. */
  readonly longestGoMs: number;
  readonly waitedInItMs: number;
  readonly heapBytes: number;
  readonly rssBytes: number;
}

const EVERY_MS = 2;

const NONE = { longestBlockMs: 0, longestGoMs: 0, waitedInItMs: 0 };

let longest = NONE;
let before = look();
const timer = setInterval(() => {
  const now = look();
  const goMs = now.atMs - before.atMs - EVERY_MS;
  const longestBlockMs = Math.max(longest.longestBlockMs, now.workedMs - before.workedMs);
  if (goMs <= longest.longestGoMs) longest = { ...longest, longestBlockMs };
  else longest = { longestBlockMs, longestGoMs: goMs, waitedInItMs: now.waitedMs - before.waitedMs };
  before = now;
}, EVERY_MS);
timer.unref();

process.on('message', () => {
  const seen = longest;
  // What is not needed any more is not held. It takes its time, which is this file's own.
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const gauge: Gauge = { ...seen, heapBytes: heapUsed, rssBytes: rss };
  process.send?.(gauge);
  before = look();
  longest = NONE;
});
// The listener alone must not keep the program alive.
process.channel?.unref();

function look() {
  return { ...threadTime(process.pid), atMs: performance.now() };
}
