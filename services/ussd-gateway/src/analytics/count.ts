import type { UssdHopOutcome } from '@mlango/schemas/ussd-analytics';

export const hourMs = 3_600_000;

/** Open visits are counted by slots of 5 minutes. A visit counts as abandoned one slot after its session has expired. */
export const slotsPerHour = 12;
export const slotMs = hourMs / slotsPerHour;

/**
 * The meaning of a count:
 *
 *   an outcome   hops, by screens and by the viewing time before the input
 *   answer       hops on `toScreen`, by the time to their answer
 *   open         displays of `toScreen` without a further input yet, after an input on `fromScreen`, by slot: +1 when shown, -1 at the next input
 *   failed       hops without a screen
 *   uncounted    dropped counts
 *   batch        the number of the last stored batch of a process
 */
export type Measure = UssdHopOutcome | 'answer' | 'open' | 'failed' | 'uncounted' | 'batch';

/** A count of one hour. */
export interface Count {
  /** Hours since 1970. */
  readonly hour: number;
  readonly flow: string;
  readonly version: number;
  /** The screen of the input; empty for a dial. */
  readonly fromScreen: string;
  /** The screen that was shown; empty for a hop that changed nothing. */
  readonly toScreen: string;
  readonly measure: Measure;
  /** Upper bound of a time in ms; the number of a slot for `open`; 0 if the time is unknown. */
  readonly bucket: number;
  readonly count: number;
}

/** A sum of counts over some hours. Balances of slots are `abandoned` or `open`, both with the bucket 0. */
export interface SummedCount extends Omit<Count, 'hour' | 'measure'> {
  readonly measure: Measure | 'abandoned';
}

/** Counts of one process, stored in one step. */
export interface CountBatch {
  /** The process. */
  readonly writer: string;
  /** Rises with each batch of the process. */
  readonly number: number;
  /** The hour in which the batch was made. */
  readonly hour: number;
  readonly counts: readonly (Count & { readonly tenant: string })[];
}

export function hourOf(atMs: number): number {
  return Math.floor(atMs / hourMs);
}

/** A count of a whole process. */
export function countOf(measure: 'failed' | 'uncounted', count: number, atMs: number): Count {
  return { hour: hourOf(atMs), flow: '', version: 0, fromScreen: '', toScreen: '', measure, bucket: 0, count };
}
