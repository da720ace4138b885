import type { UssdHopOutcome } from '@mlango/schemas/ussd-analytics';
import type { AnsweredHop } from '../sessions/run-hop.js';
import type { FlowName, SessionRecord } from '../sessions/session-record.js';

/** A hop for the analytics: screens and times, without subscriber and input. */
export interface HopEvent {
  readonly flow: string;
  /** The screen of the input; for a dial the screen that it showed. */
  readonly screen: string;
  readonly outcome: UssdHopOutcome;
  readonly answerMs: number;
  /** The screen before; undefined if no visit continues or ends. */
  readonly left: ShownScreen | undefined;
  /** The screen after; undefined if nothing changed. */
  readonly shown: ShownScreen | undefined;
  /** Whether `shown` closed the session. */
  readonly ended: boolean;
  /** Whether `shown` is a different screen. */
  readonly isVisit: boolean;
}

/** A screen on a phone. */
export interface ShownScreen {
  readonly flow: FlowName;
  readonly screen: string;
  /** The previous screen; empty after a dial. */
  readonly from: string;
  /** Wall clock, in ms since 1970; undefined for sessions of an earlier release. */
  readonly sinceMs: number | undefined;
}

const noScreen = 'none';

/** Describes an answered hop. */
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
