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
  extends Omit<AdmissionParts, 'auth' | 'takeOver' | 'holds' | 'hasRoom' | 'openRoom' | 'log'> {
  readonly auth: AdmissionParts['auth'] & Pick<UcanAuth, 'isAnyRevoked'>;
  /** Of addresses: each token that a socket shows afresh takes one. */
  readonly requests: RenewalParts['requests'];
  readonly bus: HubBus;
  readonly newId: () => string;
  readonly log: AdmissionParts['log'] & { debug(fields: object, text: string): void };
  readonly limits: RealtimeLimits;
}

/** What becomes of what a user says to a call; undefined for what is no decision. Rejects when it cannot be taken. */
export type SettleApproval = (
  member: Pick<Member, 'did' | 'actor' | 'right'>,
  data: unknown,
) => Promise<object | undefined>;

/** A member that has just joined. */
export interface Joined {
  /** To be called with each event of the client. */
  readonly receive: (event: string, data: unknown) => void;
  /** To be called when the socket is gone. */
  readonly leave: () => void;
}

const roomsEveryMs = 30_000;

/** The sockets of this process and what can be done with them, whatever door they came in by. */
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

  /** Begins to listen to the other replicas. */
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

  /** Closes the sockets whose right has ended, as happens by itself now and then. */
  sweep(): Promise<void> {
    return this.#rights.sweep();
  }

  /** Calls into the user's tabs. */
  get calls(): FrontendCalls & Pick<TabCalls, 'declareTools'> {
    return this.#calls;
  }

  /** Tells the sockets of a session what happens in its turns. */
  get turnEvents(): TurnListener {
    return {
      emit: (run, event) => {
        const frames = framesOf(event);
        // Most of what is said is for the stream alone.
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
    return admit({ ...this.#parts, takeOver, holds, hasRoom, openRoom }, handshake);
  }

  /** Puts an admitted socket into its room, and greets it with what it missed since `offset`. */
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
        // What comes late from a connection whose place another one has, or that was closed, is nobody's word.
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

  /** Closes the sockets that rest on a UCAN, on all replicas, once its revocation is on record. Never rejects. */
  async closeRevoked({ cid, issuer }: RevokedUcan): Promise<void> {
    const told = this.#parts.bus.broadcast({ kind: 'taken_back', cid, issuer }).catch((err: unknown) => {
      this.#parts.log.warn({ err }, 'other replicas not told of a revocation: they ask by themselves, later');
    });
    await Promise.all([told, this.#rights.closeRevoked({ cid, issuer })]);
  }

  /** Names what takes the word of users on calls that wait for them. */
  onApproval(settle: SettleApproval): void {
    this.#settle = settle;
  }

  closeSession(place: SessionRef): Promise<void> {
    return this.hub.closeSession(place);
  }

  /** Asks all clients to come back to another replica, and lets nobody in any more. */
  close(): void {
    this.#isClosing = true;
    for (const sweeper of this.#sweepers.splice(0)) clearInterval(sweeper);
    this.hub.closeAll('shutdown');
  }

  /** Answers with what became of it; what is no decision is passed over. */
  async #takeApproval(member: Member, data: unknown): Promise<void> {
    const { log } = this.#parts;
    const reply = await this.#settle(member, data).catch((err: unknown) => {
      log.warn({ err }, 'approval over a socket not taken');
      return { ok: false, status: 'unavailable' };
    });
    if (reply !== undefined) member.send(frameOf('approval_result', { ...reply, sessionId: member.sessionId }));
  }

  /** Takes what a socket shows afresh, a bounded number of times. */
  #renewal(member: Member): (shown: unknown) => void {
    const { auth, requests, log, limits, nowMs } = this.#parts;
    const now = this.#now;
    const budget = new EventBudget(limits.rights.renewals, nowMs);
    return (shown) => {
      if (budget.spend()) void renewRight(member, shown, { auth, requests, rights: this.#rights, now, log });
      else refuseRenewal(member, 'too_many', 'Too many auth events', now());
    };
  }

  /** Nobody is at the other end any more who may be told, or asked, anything. */
  #end(member: Member, reason: 'expired' | 'revoked'): void {
    this.hub.leave(member);
    this.#parts.log.info({ reason, sessionId: member.sessionId }, 'socket closed: its right has ended');
    sendClosing(member, reason, this.#now());
    member.close(reason);
  }
}

/**
 * What the sockets of a session are told of an event of a turn.
 *
 * Text, reasoning, errors and ends are in the stream of the run alone. Calls into the tab are sent by whoever calls, to one
 * socket. A change of route is never wrapped: as `event` it leaves a stray bubble in clients.
 */
export function framesOf(event: TurnEvent): Frame[] {
  switch (event.event) {
    case 'tool_call':
    case 'render_component':
      return [frameOf(event.event, event.data), wrapped(event.event, event.data)];
    case 'message_cache_invalidation':
      // Without a session in it, clients drop what they have cached of any.
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

/** What the two ways in to the hub have in common. */
export interface SocketDeps {
  readonly realtime: Realtime;
  readonly corsOrigins: readonly string[];
  readonly newId: () => string;
  /** Each handshake takes one of its address, before anything it shows is looked at. */
  readonly addresses: Pick<AddressAllowances, 'requests'>;
  readonly trustProxy: string[] | false;
  readonly sockets: Readonly<typeof socketTimes>;
  readonly pools: Pick<SharedPools, 'connections'>;
}

export const socketIoPath = '/socket.io/';
