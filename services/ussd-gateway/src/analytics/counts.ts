import type { UssdHopOutcome } from '@mlango/schemas/ussd-analytics';
import type { AnsweredHop } from '../sessions/run-hop.js';
import type { SessionRecord } from '../sessions/session-record.js';
import { bucketOf } from './time-buckets.js';

export const hourMs = 3_600_000;

/** Visits are balanced in slots of an hour: a visit counts as abandoned one slot after its session has expired. */
export const slotsPerHour = 12;
export const slotMs = hourMs / slotsPerHour;

/**
 * The meaning of a count:
 *
 *   an outcome   hops, by screens and by the viewing time before the input
 *   answer       hops on `toScreen`, by the time to their answer
 *   open         displays of `toScreen` in a slot of the hour, after an input on `fromScreen`, minus those with a following input
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

const unknownFlow = { id: 'none', version: 0 };

/** The counts of an answered hop: screens and times, without subscriber and input. */
export function countsOfHop({ before, after, kind, answerMs }: AnsweredHop, nowMs: number): readonly Count[] {
  // A dial neither continues nor ends a visit.
  const left = before?.phase === 'live' && kind !== 'dial' ? before.record : undefined;
  const known = after ?? before?.record;
  const { id: flow, version } = known?.flow ?? unknownFlow;
  // The time in the session: the next hop is compared with it.
  const atMs = after?.shownAtMs ?? nowMs;
  const hop = { hour: hourOf(atMs), flow, version, count: 1 };
  const screen = known?.position.state ?? 'none';
  const fromScreen = after === undefined ? screen : (left?.position.state ?? '');
  const toScreen = after === undefined ? '' : screen;
  const measure = outcomeOf(after, fromScreen, kind);
  const isAnswer = after !== undefined && left?.shownAtMs !== undefined;
  const bucket = isAnswer ? bucketOf(atMs - (left.shownAtMs ?? atMs)) : 0;
  const counts: Count[] = [
    { ...hop, fromScreen, toScreen, measure, bucket },
    { ...hop, fromScreen: '', toScreen: fromScreen || toScreen, measure: 'answer', bucket: bucketOf(answerMs) },
  ];
  if (after !== undefined && !after.ended) counts.push(openCount(after, atMs, 1));
  // The slot in which the screen was shown.
  if (isAnswer) counts.push(openCount(left, left.shownAtMs ?? atMs, -1));
  return counts;
}

function openCount({ flow, position, cameFrom = '' }: SessionRecord, atMs: number, count: number): Count {
  return {
    ...{ hour: hourOf(atMs), flow: flow.id, version: flow.version, fromScreen: cameFrom, toScreen: position.state },
    ...{ measure: 'open', bucket: Math.floor((atMs % hourMs) / slotMs), count },
  };
}

function outcomeOf(after: SessionRecord | undefined, from: string, kind: string): UssdHopOutcome {
  if (after === undefined) return kind === 'repeat' ? 'repeated' : 'expired';
  if (kind === 'dial') return 'dialled';
  if (after.ended) return 'ended';
  if (from === '') return 'replayed';
  if (after.position.notice !== undefined) return 'refused';
  return from === after.position.state ? 'stayed' : 'moved';
}
