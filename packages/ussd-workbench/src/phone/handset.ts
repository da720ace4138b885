import { type AggregatorId, hopOf, screenOf, type WireRequest, type WireSession } from '../wire/aggregators.js';
import type { HopReply } from '../wire/send.js';
import type { Exchange } from '../wire/simulator.js';

/** One request and its response. */
export interface Hop {
  readonly id: string;
  readonly request: WireRequest;
  readonly session: WireSession;
  /** Input of this hop; the service code on a dial. */
  readonly input: string;
  readonly reply?: HopReply;
}

/** A phone: its screen and its open session. */
export interface Handset {
  readonly number: string;
  readonly typed: string;
  readonly phase: 'idle' | 'waiting' | 'open' | 'closed';
  readonly message: string;
  readonly session: WireSession | undefined;
  /** Newest first. */
  readonly hops: readonly Hop[];
  /** The last code that was dialled. */
  readonly lastCode: string;
  /** The dialogue so far, while one is recorded. */
  readonly recorded?: readonly Exchange[] | undefined;
}

export type HandsetEvent =
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'sent'; readonly hop: Hop }
  | { readonly type: 'answered'; readonly id: string; readonly reply: HopReply }
  | { readonly type: 'cancelled'; readonly why: keyof typeof cancelled }
  | { readonly type: 'records'; readonly on: boolean };

/** Messages for sessions that the gateway did not close. */
const cancelled = {
  'hung up': 'You hung up.',
  'ran out': 'The session timed out: nothing was entered.',
  left: 'The page was reloaded before the answer came.',
} as const;

/** Hops in the log. */
const maxHops = 50;

export function newHandset(number: string, code: string): Handset {
  return {
    number,
    typed: code,
    phase: 'idle',
    session: undefined,
    message: `Dial ${code} to begin.`,
    hops: [],
    lastCode: code,
  };
}

/** The hop of pressing the call key; undefined while another hop is pending or the input is empty. Pure. */
export function nextHop(handset: Handset, newId: () => string, aggregator: AggregatorId): Hop | undefined {
  const { phase, typed, number } = handset;
  const input = typed.trim();
  const openSession = phase === 'open' ? handset.session : undefined;
  if (phase === 'waiting' || (openSession === undefined && input === '')) return undefined;
  const session =
    openSession === undefined
      ? { id: newId(), number, code: input, inputs: [] }
      : { ...openSession, inputs: [...openSession.inputs, input] };
  return { id: newId(), input, session, request: hopOf(aggregator, session) };
}

/** The phone after an event. Pure. */
export function handsetAfter(handset: Handset, event: HandsetEvent): Handset {
  switch (event.type) {
    case 'typed':
      return { ...handset, typed: event.text };
    case 'sent':
      return sent(handset, event.hop);
    case 'answered':
      return answered(handset, event.id, event.reply);
    case 'cancelled':
      return closed(handset, cancelled[event.why]);
    case 'records':
      return { ...handset, recorded: event.on ? [] : undefined };
  }
}

function sent(handset: Handset, hop: Hop): Handset {
  return {
    ...handset,
    phase: 'waiting',
    typed: '',
    lastCode: hop.session.code,
    session: hop.session,
    hops: [hop, ...handset.hops].slice(0, maxHops),
  };
}

function answered(handset: Handset, id: string, reply: HopReply): Handset {
  const hops = handset.hops.map((hop) => (hop.id === id ? { ...hop, reply } : hop));
  const [hop] = handset.hops;
  // After a hang-up or a newer hop the response is logged, not shown.
  if (handset.phase !== 'waiting' || hop?.id !== id) return { ...handset, hops };
  const { kind, message } = screenOf(hop.request.aggregator, reply);
  if (kind === 'failed') return { ...closed(handset, message), hops };
  const exchange = { typed: hop.input, dials: hop.session.inputs.length === 0, message, closes: kind === 'END' };
  const after = { ...handset, hops, recorded: handset.recorded && [...handset.recorded, exchange] };
  return kind === 'CON' ? { ...after, phase: 'open', message } : closed(after, message);
}

function closed(handset: Handset, message: string): Handset {
  return { ...handset, session: undefined, phase: 'closed', message, typed: handset.lastCode };
}
