import type { UssdHopOutcome } from '@mlango/schemas/ussd-analytics';
import type { AnsweredHop } from '../sessions/run-hop.js';
import type { FlowName, SessionRecord } from '../sessions/session-record.js';

/** A hop as it is counted: places and times, nothing of who pressed the key or what was typed. */
export interface HopEvent {
  readonly flow: string;
  /** The screen that the key was pressed on; for a dial the one it showed. */
  readonly screen: string;
  readonly outcome: UssdHopOutcome;
  readonly answerMs: number;
  /** The screen that was looked at until now; undefined where no visit goes on or ends. */
  readonly left: ShownScreen | undefined;
  /** The screen that is looked at now; undefined when nothing changed. */
  readonly shown: ShownScreen | undefined;
  /** Whether `shown` closed the session. */
  readonly ended: boolean;
  /** Whether `shown` is another screen than before. */
  readonly isVisit: boolean;
}

/** A screen on somebody's phone. */
export interface ShownScreen {
  readonly flow: FlowName;
  readonly screen: string;
  /** The screen whose key led there; empty after a dial. */
  readonly from: string;
  /** Since 1970; undefined of a session that another release kept. */
  readonly sinceMs: number | undefined;
}

const noScreen = 'none';

/** Says what happened in a hop. */
export function toHopEvent(hop: AnsweredHop): HopEvent {
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
      ended: false,
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
    left: before && shownScreen(before),
    shown: shownScreen(after),
    ended: after.ended,
    isVisit: from !== to,
  };
}

function shownScreen({ flow, position, cameFrom = '', shownAtMs: sinceMs }: SessionRecord): ShownScreen {
  return { flow, screen: position.state, from: cameFrom, sinceMs };
}

function outcomeOf(after: SessionRecord, from: string | undefined, kind: string): UssdHopOutcome {
  if (kind === 'dial') return 'dialled';
  if (after.ended) return 'ended';
  if (from === undefined) return 'replayed';
  if (after.position.notice !== undefined) return 'refused';
  return from === after.position.state ? 'stayed' : 'moved';
}
