import type { UssdHopOutcome } from '@mlango/schemas/ussd-analytics';
import type { AnsweredHop } from '../sessions/run-hop.js';
import type { SessionRecord } from '../sessions/session-record.js';
import { type Count, hourMs, hourOf, slotMs } from './count.js';
import { bucketOf } from './time-buckets.js';

const unknownFlow = { id: 'none', version: 0 };

/**
 * The counts of an answered hop: screens and times, without subscriber and input. They are written out, since V8 stores copies by spread
 * in the old generation, which stalls other hops (bench row `hop-500`).
 */
export function countsOfHop({ before, after, kind, answerMs }: AnsweredHop, nowMs: number): readonly Count[] {
  // A dial neither continues nor ends a visit.
  const previous = before?.phase === 'live' && kind !== 'dial' ? before.record : undefined;
  const known = after ?? before?.record;
  const { id: flow, version } = known?.flow ?? unknownFlow;
  // The time in the session: the next hop is compared with it.
  const atMs = after?.shownAtMs ?? nowMs;
  const hour = hourOf(atMs);
  const screen = known?.position.state ?? 'none';
  const fromScreen = after === undefined ? screen : (previous?.position.state ?? '');
  const toScreen = after === undefined ? '' : screen;
  const measure = outcomeOf(after, fromScreen, kind);
  const isAnswer = after !== undefined && previous?.shownAtMs !== undefined;
  const bucket = isAnswer ? bucketOf(atMs - (previous.shownAtMs ?? atMs)) : 0;
  const counts: Count[] = [
    { hour, flow, version, fromScreen, toScreen, measure, bucket, count: 1 },
    {
      hour,
      flow,
      version,
      fromScreen: '',
      toScreen: fromScreen || toScreen,
      measure: 'answer',
      bucket: bucketOf(answerMs),
      count: 1,
    },
  ];
  if (after !== undefined && !after.ended) counts.push(openCount(after, atMs, 1));
  // The slot in which the screen was shown.
  if (isAnswer) counts.push(openCount(previous, previous.shownAtMs ?? atMs, -1));
  return counts;
}

/** One more or one less open visit; `CountStore.read` counts it as abandoned once its session has expired. */
function openCount({ flow, position, cameFrom = '' }: SessionRecord, atMs: number, count: number): Count {
  return {
    hour: hourOf(atMs),
    flow: flow.id,
    version: flow.version,
    fromScreen: cameFrom,
    toScreen: position.state,
    measure: 'open',
    bucket: Math.floor((atMs % hourMs) / slotMs),
    count,
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
