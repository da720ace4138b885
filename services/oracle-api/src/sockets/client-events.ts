import {
  callResultPayload,
  type SocketClientEvent,
  socketClientEvents,
  socketServerEvents,
} from '@mlango/schemas/oracle-realtime';
import type { TabCalls } from './frontend-calls.js';
import type { Hub } from './hub.js';
import type { RealtimeLimits } from './limits.js';
import { frameOf, type Member } from './member.js';

export interface ClientEventsParts {
  readonly hub: Hub;
  readonly calls: TabCalls;
  readonly now: () => Date;
  /** Takes what a socket shows afresh. */
  readonly renew: (shown: unknown) => void;
  /** Takes what the user says to a call that waits for them. */
  readonly settle: (shown: unknown) => void;
  readonly log: { debug(fields: object, text: string): void };
}

type Handler = (member: Member, data: unknown, parts: ClientEventsParts) => void;

const handlers: Readonly<Record<SocketClientEvent, Handler>> = {
  auth: (_member, data, { renew }) => renew(data),
  ping: (member, _data, { now }) => reply(member, 'pong', { timestamp: now().toISOString() }),
  status: (member, _data, { hub, now }) =>
    reply(member, 'status', { connected: true, ...hub.stats, timestamp: now().toISOString() }),
  subscribe: (member, _data, { now }) => reply(member, 'subscribed', { timestamp: now().toISOString() }),
  'list-events': (member, _data, { now }) =>
    reply(member, 'available-events', {
      clientEvents: socketClientEvents,
      serverEvents: socketServerEvents,
      timestamp: now().toISOString(),
    }),
  tool_result: (member, data, parts) => takeResult(member, 'browser_tool', data, parts),
  approval_result: (_member, data, { settle }) => settle(data),
  action_call_result: (member, data, parts) => takeResult(member, 'action', data, parts),
};

/** Does what a client's event asks for. Events that nobody knows, and results that nobody asked for, are passed over. */
export function handleClientEvent(member: Member, event: string, data: unknown, parts: ClientEventsParts): void {
  if (Object.hasOwn(handlers, event)) handlers[event as SocketClientEvent](member, data, parts);
}

export function greet(member: Member, now: Date, offset: string): void {
  const { sessionId } = member;
  const data = { message: 'Connected to the session', sessionId, timestamp: now.toISOString() };
  member.send(frameOf('connected', data), offset);
}

const farewells = { expired: 'What this socket showed has expired', revoked: 'What this socket showed was taken back' };

/** Says why a socket is about to be closed whose right has ended. */
export function sendClosing(member: Member, reason: 'expired' | 'revoked', now: Date): void {
  const message = farewells[reason];
  reply(member, 'closing', { code: 'unauthenticated', reason, message, timestamp: now.toISOString() });
}

function reply(member: Member, event: string, data: object): void {
  member.send(frameOf(event, { ...data, sessionId: member.sessionId }));
}

function takeResult(member: Member, kind: 'browser_tool' | 'action', data: unknown, parts: ClientEventsParts): void {
  const payload = callResultPayload.safeParse(data);
  const isTaken = payload.success && parts.calls.answer(member, kind, payload.data);
  if (!isTaken) parts.log.debug({ sessionId: member.sessionId }, 'result passed over');
}

/** How many events one socket may send: a bucket that fills at a steady rate. */
export class EventBudget {
  readonly #rate: RealtimeLimits['events'];
  readonly #nowMs: () => number;
  #left: number;
  #filledAtMs: number;

  constructor(rate: RealtimeLimits['events'], nowMs: () => number) {
    this.#rate = rate;
    this.#nowMs = nowMs;
    this.#left = rate.burst;
    this.#filledAtMs = nowMs();
  }

  /** False when the socket has sent more than it may. */
  spend(): boolean {
    const now = this.#nowMs();
    const filled = this.#left + ((now - this.#filledAtMs) / 1000) * this.#rate.perSecond;
    this.#left = Math.min(this.#rate.burst, filled) - 1;
    this.#filledAtMs = now;
    return this.#left >= 0;
  }
}
