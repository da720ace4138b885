import { type HopReply, type HopRequest, type Screen, screenOf } from './ussd-call.js';

/** One request and its answer, as the log shows them. */
export interface Hop {
  readonly id: string;
  readonly request: HopRequest;
  /** What was typed for this hop: the code on the dial. */
  readonly input: string;
  readonly reply?: HopReply;
}

/** A phone: what is on its screen, and the session it has open. */
export interface Handset {
  readonly number: string;
  readonly typed: string;
  readonly phase: 'idle' | 'waiting' | 'asking' | 'closed';
  readonly message: string;
  readonly session: { readonly id: string; readonly code: string; readonly inputs: readonly string[] } | undefined;
  /** Newest first. */
  readonly hops: readonly Hop[];
  /** The last code that was dialled. */
  readonly lastCode: string;
}

export type HandsetEvent =
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'sent'; readonly hop: Hop }
  | { readonly type: 'answered'; readonly id: string; readonly reply: HopReply }
  | { readonly type: 'cancelled'; readonly why: 'hung up' | 'ran out' };

/** As many as anybody will read. */
const KEPT_HOPS = 50;

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

/** The hop that pressing the call key makes; undefined while another is under way or nothing can be dialled. Pure. */
export function nextHop(handset: Handset, newId: () => string): Hop | undefined {
  const { phase, session, typed, number } = handset;
  const input = typed.trim();
  if (phase === 'waiting') return undefined;
  if (phase === 'asking' && session !== undefined) {
    const text = [...session.inputs, input].join('*');
    return {
      id: newId(),
      input,
      request: { sessionId: session.id, serviceCode: session.code, phoneNumber: number, text },
    };
  }
  if (input === '') return undefined;
  return { id: newId(), input, request: { sessionId: newId(), serviceCode: input, phoneNumber: number, text: '' } };
}

/** What happens to a phone. Pure. */
export function handsetAfter(handset: Handset, event: HandsetEvent): Handset {
  switch (event.type) {
    case 'typed':
      return { ...handset, typed: event.text };
    case 'sent':
      return sent(handset, event.hop);
    case 'answered':
      return answered(handset, event.id, event.reply);
    case 'cancelled':
      return closed(
        handset,
        event.why === 'hung up' ? 'You hung up.' : 'The network closed the session: nothing was typed.',
      );
  }
}

function sent(handset: Handset, hop: Hop): Handset {
  const { session } = handset;
  const isDial = hop.request.text === '' && session?.id !== hop.request.sessionId;
  return {
    ...handset,
    phase: 'waiting',
    typed: '',
    lastCode: isDial ? hop.request.serviceCode : handset.lastCode,
    session:
      isDial || session === undefined
        ? { id: hop.request.sessionId, code: hop.request.serviceCode, inputs: [] }
        : { ...session, inputs: [...session.inputs, hop.input] },
    hops: [hop, ...handset.hops].slice(0, KEPT_HOPS),
  };
}

function answered(handset: Handset, id: string, reply: HopReply): Handset {
  const hops = handset.hops.map((hop) => (hop.id === id ? { ...hop, reply } : hop));
  // Who hung up meanwhile, or sent something else, does not get this screen.
  if (handset.phase !== 'waiting' || handset.hops[0]?.id !== id) return { ...handset, hops };
  const screen: Screen = screenOf(reply);
  if (screen.kind === 'CON') return { ...handset, hops, phase: 'asking', message: screen.message };
  return { ...closed(handset, screen.message), hops };
}

function closed(handset: Handset, message: string): Handset {
  return { ...handset, session: undefined, phase: 'closed', message, typed: handset.lastCode };
}
