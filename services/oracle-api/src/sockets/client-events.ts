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
  /** Renews the socket's right by new tokens. */
  readonly renew: (tokens: unknown) => void;
  /** Applies the user's decision on a pending call. */
  readonly settle: (decision: unknown) => void;
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

/** Handles a client's event. Unknown events and unexpected results are ignored. */
export function handleClientEvent(member: Member, event: string, data: unknown, parts: ClientEventsParts): void {
  if (Object.hasOwn(handlers, event)) handlers[event as SocketClientEvent](member, data, parts);
}

export function greet(member: Member, now: Date, offset: string): void {
  const { sessionId } = member;
  const data = { message: 'Connected to the session', sessionId, timestamp: now.toISOString() };
  member.send(frameOf('connected', data), offset);
}

const closingMessages = {
  expired: 'The token of this socket has expired',
  revoked: 'The token of this socket was revoked',
};

/** Sends the reason before a socket is closed. */
export function sendClosing(member: Member, reason: 'expired' | 'revoked', now: Date): void {
  const message = closingMessages[reason];
  reply(member, 'closing', { code: 'unauthenticated', reason, message, timestamp: now.toISOString() });
}

function reply(member: Member, event: string, data: object): void {
  member.send(frameOf(event, { ...data, sessionId: member.sessionId }));
}

function takeResult(member: Member, kind: 'browser_tool' | 'action', data: unknown, parts: ClientEventsParts): void {
  const payload = callResultPayload.safeParse(data);
  const isAccepted = payload.success && parts.calls.answer(member, kind, payload.data);
  if (!isAccepted) parts.log.debug({ sessionId: member.sessionId }, 'unexpected result ignored');
}

/** Token bucket for the events of one socket. */
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

  /** False if the socket exceeds its rate. */
  spend(): boolean {
    const now = this.#nowMs();
    const filled = this.#left + ((now - this.#filledAtMs) / 1000) * this.#rate.perSecond;
    this.#left = Math.min(this.#rate.burst, filled) - 1;
    this.#filledAtMs = now;
    return this.#left >= 0;
  }
}
