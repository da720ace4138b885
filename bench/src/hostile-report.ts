import type { Noticed } from './hostile-probe.js';
import type { Latencies } from './latencies.js';

const HEALTH_LIMIT_MS = 50;
/** Of all questions; those that found the idle process as slow come on top. */
const SLOW_SHARE = 0.01;

const COLUMNS = [
  ['health', 'health'],
  ['own work in it', 'worked'],
  ['idle process', 'idle'],
  ['known token', 'known'],
  ['new token', 'fresh'],
] as const satisfies readonly (readonly [string, keyof Noticed])[];

export function headOfNoticed(first: string): string[] {
  return [first, ...COLUMNS.map(([name]) => `${name}: p50, p99, max ms`), 'replies'];
}

export function rowOfNoticed(name: string, noticed: Noticed, replies: ReadonlyMap<string, number>): string[] {
  const counts = [...replies].map(([status, count]) => `${status}: ${count}`).join(', ');
  return [name, ...COLUMNS.map(([, kind]) => spread(noticed[kind])), counts];
}

function spread(times: Latencies): string {
  return [0.5, 0.99, 1].map((share) => times.within(share).toFixed(1)).join(', ');
}

/**
 * Whether the attacks were hardly noticed. A busy machine makes everybody wait, so what an idle process needs in the same run
 * is not held against the service; its own work before an answer is, whatever the machine does.
 */
export function verdict(all: Noticed, asked: ReadonlyMap<string, number>): { lines: string[]; isGood: boolean } {
  const slow = (times: Latencies) => 1 - times.countWithin(HEALTH_LIMIT_MS) / times.count;
  const mostAsked = Math.max(0, ...asked.values());
  const isPrompt = slow(all.health) <= slow(all.idle) + SLOW_SHARE;
  const isGood = isPrompt && all.worked.within(0.99) <= HEALTH_LIMIT_MS && mostAsked <= 1;
  const lines = [
    `GET /health under attack ${shareOf(all.health)}`,
    `an idle process beside it ${shareOf(all.idle)}: so much of it is the machine's`,
    `the service's own work before it answered: ${spread(all.worked)} ms (p50, p99, max); ` +
      `what it waited for a processor: ${spread(all.waited)} ms`,
    `the indexer was asked for ${asked.size} DIDs, at most ${mostAsked} time(s) for one`,
    isGood ? 'verdict: good' : 'verdict: TOO SLOW',
  ];
  return { lines, isGood };
}

function shareOf(times: Latencies): string {
  const within = times.countWithin(HEALTH_LIMIT_MS);
  const share = ((100 * within) / times.count).toFixed(2);
  return `within ${HEALTH_LIMIT_MS} ms: ${within} of ${times.count} (${share} %), worst ${times.within(1).toFixed(1)} ms`;
}
