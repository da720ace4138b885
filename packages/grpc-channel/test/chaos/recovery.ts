import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../../src/channel.js';

/** `overlapping`: a stream is open at any time. The others leave gaps of 1 to 20 s between calls, the short or the long ones first. */
export const PATTERNS = ['overlapping', 'short gaps first', 'long gaps first'] as const;
export type Pattern = (typeof PATTERNS)[number];

const GAPS_MS: Readonly<Record<Exclude<Pattern, 'overlapping'>, readonly number[]>> = {
  'short gaps first': [1000, 1500, 2000, 3000, 5000, 10_000, 20_000],
  'long gaps first': [20_000, 10_000, 5000, 3000, 2000, 1500, 1000],
};
/** Nodes answer after 300 ms. */
const OVERLAP_MS = 200;
const BEFORE_MS = 600;
/** Shorter than a ping is awaited, so that a connection has no stream when its ping is given up. */
const CALL_TIMEOUT_MS = 1800;
/** A channel that has not recovered after this counts as one that does not recover. */
const OBSERVED_MS = 45_000;
/** Consecutive answered calls that prove a recovery: a single one may fail on a busy machine. */
const STEADY = { overlapping: 5, gaps: 2 };

export interface ObservedCalls {
  readonly pattern: Pattern;
  readonly path: string;
  readonly request: Uint8Array;
  /** When the fault begins, by `performance.now()`: at least 600 ms from now. */
  readonly faultAt: number;
  readonly lastsMs: number;
  /** A further condition for an answered call to prove a recovery. */
  readonly isWhole: () => boolean;
}

/** Times are in ms after the beginning of the fault. */
interface Attempt {
  readonly startMs: number;
  readonly endMs: number;
  /** How long before its start a channel may have recovered, since no call was made or the one before was not over. */
  readonly unseenMs: number;
  readonly isAnswered: boolean;
  /** It is answered, and the further condition holds. */
  readonly showsRecovery: boolean;
}

export interface Recovery {
  readonly pattern: Pattern;
  /** When the first of the calls was answered that were answered from then on, in ms after the end of the fault; `Infinity` for never. */
  readonly latestMs: number;
  /** The channel recovered no earlier than this. */
  readonly earliestMs: number;
  readonly failed: number;
  readonly made: number;
}

/** Runs the calls of a pattern before and after the beginning of a fault, until the channel has recovered, and measures when it did. */
export async function observe(channel: Channel, calls: ObservedCalls): Promise<Recovery> {
  const attempts: (Attempt | undefined)[] = [];
  const make = async (unseenMs: number): Promise<void> => {
    const index = attempts.push(undefined) - 1;
    const startMs = performance.now() - calls.faultAt;
    const isAnswered = await channel.unary(calls.path, calls.request, { timeoutMs: CALL_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    const endMs = performance.now() - calls.faultAt;
    attempts[index] = { startMs, endMs, unseenMs, isAnswered, showsRecovery: isAnswered && calls.isWhole() };
  };
  const isOver = (): boolean => findRecovery(attempts, calls.lastsMs, STEADY.overlapping) !== undefined;
  if (calls.pattern === 'overlapping') await makeOverlapping(calls.faultAt, make, isOver);
  else {
    await sleep(Math.max(0, calls.faultAt - performance.now()));
    for (const gapMs of GAPS_MS[calls.pattern]) {
      await sleep(gapMs);
      await make(gapMs + CALL_TIMEOUT_MS);
    }
  }
  return recoveryOf(
    attempts.filter((attempt) => attempt !== undefined),
    calls,
  );
}

async function makeOverlapping(
  faultAt: number,
  make: (unseenMs: number) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  const running: Promise<void>[] = [];
  for (let atMs = -BEFORE_MS; atMs < OBSERVED_MS && !isOver(); atMs += OVERLAP_MS) {
    await sleep(Math.max(0, faultAt + atMs - performance.now()));
    running.push(make(OVERLAP_MS));
  }
  await Promise.all(running);
}

function recoveryOf(attempts: readonly Attempt[], { pattern, lastsMs }: ObservedCalls): Recovery {
  const inRow = pattern === 'overlapping' ? STEADY.overlapping : STEADY.gaps;
  const last = attempts.at(-1);
  // Only one call follows the longest gaps.
  const first = findRecovery(attempts, lastsMs, inRow) ?? (last?.showsRecovery === true ? last : undefined);
  return {
    pattern,
    latestMs: first === undefined ? Number.POSITIVE_INFINITY : first.endMs - lastsMs,
    earliestMs: first === undefined ? Number.POSITIVE_INFINITY : first.startMs - first.unseenMs - lastsMs,
    failed: attempts.filter(({ isAnswered }) => !isAnswered).length,
    made: attempts.length,
  };
}

/** The first answered call after the end of the fault, with its successors. Pending calls end a row. */
function findRecovery(attempts: readonly (Attempt | undefined)[], fromMs: number, inRow: number): Attempt | undefined {
  let row: Attempt[] = [];
  for (const attempt of attempts) {
    if (attempt?.showsRecovery === true && attempt.startMs >= fromMs) row.push(attempt);
    else row = [];
    if (row.length === inRow) return row[0];
  }
  return undefined;
}

/** Calls until one is answered, so that the channel is connected. */
export async function connectFirst(channel: Channel, path: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  const call = (): Promise<unknown> => channel.unary(path, Uint8Array.of(1), { timeoutMs: 5000 });
  while (performance.now() < deadline) {
    const isAnswered = await call().then(
      () => true,
      () => false,
    );
    if (isAnswered) return;
    await sleep(50);
  }
  await call();
}

export interface MachineNoise {
  /** The longest time that a call took, in ms. */
  readonly longestMs: number;
  /** The share of calls that took longer than observed calls may. */
  readonly lateShare: number;
}

/** Runs calls without faults until `isOver`: measures the latency of this machine during the faults. */
export async function measureNoise(channel: Channel, path: string, isOver: () => boolean): Promise<MachineNoise> {
  const times: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    await connectFirst(channel, path);
    times.push(performance.now() - startedAt);
    await sleep(OVERLAP_MS);
  }
  const late = times.filter((ms) => ms > CALL_TIMEOUT_MS);
  return { longestMs: Math.max(...times), lateShare: late.length / times.length };
}
