import type { UcanAuth } from '@mlango/ucan-auth/auth';
import type { FrontendCalls } from '../agent/loop/turn-tool.js';
import type { TurnEvent, TurnListener } from '../agent/turn-events.js';
import type { AddressAllowances } from '../limits.js';
import type { SharedPools } from '../shared-pools.js';
import { type Admission, type AdmissionParts, admit, type Handshake } from './admission.js';
import { EventBudget, greet, handleClientEvent, sendClosing } from './client-events.js';
import { TabCalls } from './frontend-calls.js';
import { Hub, type SessionRef } from './hub.js';
import type { HubBus } from './hub-bus.js';
import type { RealtimeLimits, socketTimes } from './limits.js';
import {
  type Frame,
  frameOf,
  type Member,
  type RecoveryTicket,
  type RecoveryTickets,
  type RevokedUcan,
} from './member.js';
import { type RenewalParts, Rights, refuseRenewal, renewRight } from './rights.js';

export interface RealtimeParts
  extends Omit<AdmissionParts, 'auth' | 'recoveryMs' | 'takeOver' | 'holds' | 'hasRoom' | 'openRoom' | 'log'> {
  readonly auth: AdmissionParts['auth'] & Pick<UcanAuth, 'isAnyRevoked'>;
  /** Requests per address: each renewal takes one. */
  readonly requests: RenewalParts['requests'];
  readonly bus: HubBus;
  readonly newId: () => string;
  readonly log: AdmissionParts['log'] & { debug(fields: object, text: string): void };
  readonly limits: RealtimeLimits;
}

/** Applies a user's decision on a pending call; undefined for data that is not a decision. Rejects if a store fails. */
export type SettleApproval = (
  member: Pick<Member, 'did' | 'actor' | 'right'>,
  data: unknown,
) => Promise<object | undefined>;

/** Callbacks of a socket that has joined. */
export interface Joined {
  /** Handles an event of the client. */
  readonly receive: (event: string, data: unknown) => void;
  /** Removes the socket after it has closed. */
  readonly leave: () => void;
}

const roomsEveryMs = 30_000;

/** All sockets of this process, for Socket.IO and plain WebSocket. */
export class Realtime {
  readonly tickets: RecoveryTickets;
  readonly connectionLimit: RealtimeParts['connectionLimit'];
  readonly hub: Hub;
  readonly #calls: TabCalls;
  readonly #rights: Rights;
  readonly #replica: string;
  readonly #parts: RealtimeParts;
  readonly #sweepers: NodeJS.Timeout[] = [];
  readonly #now = () => new Date(this.#parts.nowMs());
  #isClosing = false;
  #settle: SettleApproval = async () => undefined;

  constructor(parts: RealtimeParts) {
    const { auth, bus, newId, nowMs, log, limits } = parts;
    this.#parts = parts;
    this.tickets = parts.tickets;
    this.connectionLimit = parts.connectionLimit;
    this.hub = new Hub({ bus, newId, nowMs, log, limits: limits.room });
    this.#rights = new Rights({
      isAnyRevoked: (path) => auth.isAnyRevoked(path),
      end: (member, reason) => this.#end(member, reason),
      nowMs,
      log,
      limits: limits.rights,
    });
    this.#replica = newId();
    this.#calls = new TabCalls({
      hub: this.hub,
      bus,
      replica: this.#replica,
      newId,
      log,
      timeoutMs: limits.toolTimeoutMs,
    });
  }

  /** Subscribes to the other replicas and starts the sweeps. */
  async open(): Promise<void> {
    const { sweepEveryMs } = this.#parts.limits.rights;
    this.#sweepers.push(
      setInterval(() => this.hub.sweep(), roomsEveryMs),
      setInterval(() => void this.sweep(), sweepEveryMs),
    );
    for (const sweeper of this.#sweepers) sweeper.unref();
    await this.#parts.bus.listen(this.#replica, (message) => {
      this.hub.receive(message);
      this.#calls.receive(message);
      if (message.kind === 'taken_back') void this.#rights.closeRevoked(message);
    });
  }

  /** Closes sockets with an expired or revoked token. A timer calls it too. */
  sweep(): Promise<void> {
    return this.#rights.sweep();
  }

  /** Tool calls in the user's browser tabs. */
  get calls(): FrontendCalls & Pick<TabCalls, 'declareTools'> {
    return this.#calls;
  }

  /** Publishes the events of turns to the sockets of their session. */
  get turnEvents(): TurnListener {
    return {
      emit: (run, event) => {
        const frames = framesOf(event);
        // Most events are for the run's stream only.
        if (frames.length > 0) void this.hub.publish(run, frames);
      },
    };
  }

  get recoveryMs(): number {
    return this.#parts.limits.room.recoveryMs;
  }

  async admit(handshake: Handshake): Promise<Admission> {
    if (this.#isClosing) return { ok: false, code: 'unavailable', message: 'The service is restarting' };
    const takeOver = ({ id, did, sessionId }: RecoveryTicket) => this.hub.takeOver(id, { ownerDid: did, sessionId });
    const holds = (right: RecoveryTicket['right']) => this.#rights.holds(right);
    const hasRoom = (place: SessionRef) => this.hub.has(place);
    const openRoom = (place: SessionRef) => this.hub.open(place);
    const { recoveryMs } = this;
    return admit({ ...this.#parts, recoveryMs, takeOver, holds, hasRoom, openRoom }, handshake);
  }

  /** Adds an admitted socket to its session's room, and sends the frames since `since`. */
  join(member: Member, since?: string): Joined {
    const place = { ownerDid: member.did, sessionId: member.sessionId };
    const missed = since === undefined ? [] : (this.hub.missed(place, member.id, since) ?? []);
    const offset = this.hub.join(member);
    this.#rights.watch(member);
    for (const { frame, offset: after } of missed) member.send(frame, after);
    greet(member, this.#now(), offset);
    const { log, limits, nowMs } = this.#parts;
    const budget = new EventBudget(limits.events, nowMs);
    const settle = (data: unknown) => void this.#takeApproval(member, data);
    const parts = { hub: this.hub, calls: this.#calls, renew: this.#renewal(member), settle, now: this.#now, log };
    return {
      receive: (event, data) => {
        // A late event of a closed or replaced connection is ignored.
        if (this.hub.find(member.id) !== member) return;
        if (budget.spend()) handleClientEvent(member, event, data, parts);
        else member.close('flood');
      },
      leave: () => {
        this.#rights.forget(member);
        this.hub.leave(member);
      },
    };
  }

  /** Closes sockets on all replicas with a proof that includes a revoked UCAN. Call after the revocation is stored. Never rejects. */
  async closeRevoked({ cid, issuer }: RevokedUcan): Promise<void> {
    const published = this.#parts.bus.broadcast({ kind: 'taken_back', cid, issuer }).catch((err: unknown) => {
      this.#parts.log.warn({ err }, 'revocation not published to other replicas, their next check will find it');
    });
    await Promise.all([published, this.#rights.closeRevoked({ cid, issuer })]);
  }

  /** Sets the handler of decisions on pending calls. */
  onApproval(settle: SettleApproval): void {
    this.#settle = settle;
  }

  closeSession(place: SessionRef): Promise<void> {
    return this.hub.closeSession(place);
  }

  /** Closes all sockets so that clients reconnect to another replica, and refuses new ones. */
  close(): void {
    this.#isClosing = true;
    for (const sweeper of this.#sweepers.splice(0)) clearInterval(sweeper);
    this.hub.closeAll('shutdown');
  }

  /** Replies with the result; data that is not a decision is ignored. */
  async #takeApproval(member: Member, data: unknown): Promise<void> {
    const { log } = this.#parts;
    const reply = await this.#settle(member, data).catch((err: unknown) => {
      log.warn({ err }, 'approval over a socket failed');
      return { ok: false, status: 'unavailable' };
    });
    if (reply !== undefined) member.send(frameOf('approval_result', { ...reply, sessionId: member.sessionId }));
  }

  /** Renews the socket's right by a new token, at a limited rate. */
  #renewal(member: Member): (tokens: unknown) => void {
    const { auth, requests, log, limits, nowMs } = this.#parts;
    const now = this.#now;
    const budget = new EventBudget(limits.rights.renewals, nowMs);
    return (tokens) => {
      if (budget.spend()) void renewRight(member, tokens, { auth, requests, rights: this.#rights, now, log });
      else refuseRenewal(member, 'too_many', 'Too many auth events', now());
    };
  }

  #end(member: Member, reason: 'expired' | 'revoked'): void {
    this.hub.leave(member);
    this.#parts.log.info({ reason, sessionId: member.sessionId }, 'socket closed, token no longer valid');
    sendClosing(member, reason, this.#now());
    member.close(reason);
  }
}

/**
 * Frames of a turn's event for the sockets of its session.
 *
 * Text, reasoning, errors and ends are in the run's stream only; tool calls go to one socket. `router_update` is never wrapped:
 * clients would show a wrapped one as a stray bubble.
 */
function framesOf(event: TurnEvent): Frame[] {
  switch (event.event) {
    case 'tool_call':
    case 'render_component':
      return [frameOf(event.event, event.data), wrapped(event.event, event.data)];
    case 'message_cache_invalidation':
      // An empty session id makes clients clear the cache of every session.
      return [frameOf(event.event, event.data), wrapped(event.event, { ...event.data, sessionId: '' })];
    case 'run_status':
    case 'approval_request':
    case 'router_update':
      return [frameOf(event.event, event.data)];
    default:
      return [];
  }
}

function wrapped(eventName: string, payload: unknown): Frame {
  return frameOf('event', { eventName, payload });
}

/** Dependencies of both socket protocols. */
export interface SocketDeps {
  readonly realtime: Realtime;
  readonly corsOrigins: readonly string[];
  readonly newId: () => string;
  /** Each handshake takes one request of its address before its tokens are verified. */
  readonly addresses: Pick<AddressAllowances, 'requests'>;
  readonly trustProxy: string[] | false;
  readonly sockets: Readonly<typeof socketTimes>;
  readonly pools: Pick<SharedPools, 'connections'>;
}

export const socketIoPath = '/socket.io/';
