import type { UssdHopOutcome } from '@mlango/schemas/ussd-analytics';
import type { AnsweredHop } from '../sessions/answer-under-lock.js';
import type { SessionRecord } from '../sessions/session-record.js';

/** A hop as it is counted: places and times, nothing of who pressed the key or what was typed. */
export interface WatchedHop {
  readonly flow: string;
  /** The screen that the key was pressed on; for a dial the one it showed. */
  readonly screen: string;
  readonly outcome: UssdHopOutcome;
  readonly answerMs: number;
  /** The screen that was left or looked at until now, and since when; undefined where no visit goes on or ends. */
  readonly left: { readonly screen: string; readonly shownAtMs: number } | undefined;
  /** The screen that now waits for a key; undefined when none does, or when nothing changed. */
  readonly shown: string | undefined;
  /** Whether `shown` is another screen than before. */
  readonly isVisit: boolean;
}

const noScreen = 'none';

/** Says what happened in a hop. */
export function watchHop(hop: AnsweredHop): WatchedHop {
  const { after, answerMs, kind } = hop;
  const before = hop.before?.phase === 'live' && kind !== 'dial' ? hop.before.record : undefined;
  if (after === undefined) {
    const known = hop.before?.record;
    return {
      flow: known?.flow.id ?? noScreen,
      screen: known?.position.state ?? noScreen,
      outcome: kind === 'repeat' ? 'repeated' : 'expired',
      answerMs,
      left: undefined,
      shown: undefined,
      isVisit: false,
    };
  }
  const to = after.position.state;
  const from = before?.position.state;
  return {
    flow: after.flow.id,
    screen: from ?? to,
    outcome: outcomeOf(after, from, kind),
    answerMs,
    left: before?.shownAtMs === undefined ? undefined : { screen: before.position.state, shownAtMs: before.shownAtMs },
    shown: after.ended ? undefined : to,
    isVisit: from !== to,
  };
}

function outcomeOf(after: SessionRecord, from: string | undefined, kind: string): UssdHopOutcome {
  if (kind === 'dial') return 'dialled';
  if (after.ended) return 'ended';
  if (from === undefined) return 'replayed';
  if (after.position.notice !== undefined) return 'refused';
  return from === after.position.state ? 'stayed' : 'moved';
}
