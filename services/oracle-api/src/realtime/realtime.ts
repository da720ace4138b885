import type { FrontendCalls } from '../chat/frontend-calls.js';
import type { TurnEvents } from '../chat/turn-event.js';
import { type Admission, type AdmissionParts, admit, type Handshake } from './admission.js';
import { greet, handleClientEvent } from './client-events.js';
import { EventBudget, type EventRate } from './event-budget.js';
import { Hub, type Place } from './hub.js';
import type { HubBus } from './hub-bus.js';
import type { Member } from './member.js';
import type { RecoveryTicket, RecoveryTickets } from './recovery-tickets.js';
import type { RoomLimits } from './room.js';
import { type SeatLimits, Seats } from './seats.js';
import { TabCalls } from './tab-calls.js';
import { framesOf } from './turn-frames.js';

export interface RealtimeParts extends Omit<AdmissionParts, 'seats' | 'takeOver' | 'log'> {
  readonly bus: HubBus;
  readonly newId: () => string;
  readonly log: AdmissionParts['log'] & { debug(fields: object, text: string): void };
  readonly limits: RealtimeLimits;
}

export interface RealtimeLimits {
  readonly room: RoomLimits;
  readonly seats: SeatLimits;
  /** Events that one socket may send. */
  readonly events: EventRate;
  /** How long a tab may take to answer a call, in ms. */
  readonly toolTimeoutMs: number;
}

/** A member that has just joined. */
export interface Joined {
  /** To be called with each event of the client. */
  readonly receive: (event: string, data: unknown) => void;
  /** To be called when the socket is gone. */
  readonly leave: () => void;
}

const sweepEveryMs = 30_000;

/** The sockets of this process and what can be done with them, whatever door they came in by. */
export class Realtime {
  readonly tickets: RecoveryTickets;
  readonly seats: Seats;
  readonly hub: Hub;
  readonly #calls: TabCalls;
  readonly #replica: string;
  readonly #parts: RealtimeParts;
  #sweeper: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(parts: RealtimeParts) {
    const { bus, newId, nowMs, log, limits } = parts;
    this.#parts = parts;
    this.tickets = parts.tickets;
    this.seats = new Seats(limits.seats);
    this.hub = new Hub({ bus, newId, nowMs, log, limits: limits.room });
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
    this.#sweeper = setInterval(() => this.hub.sweep(), sweepEveryMs);
    this.#sweeper.unref();
    await this.#parts.bus.listen(this.#replica, (message) => {
      this.hub.receive(message);
      this.#calls.receive(message);
    });
  }

  /** Calls into the user's tabs. */
  get calls(): FrontendCalls & Pick<TabCalls, 'declareTools'> {
    return this.#calls;
  }

  /** Tells the sockets of a session what happens in its turns. */
  get turnEvents(): TurnEvents {
    return {
      emit: (turn, event) => {
        const frames = framesOf(event);
        // Most of what is said is for the stream alone.
        return frames.length === 0 ? undefined : this.hub.tell(turn, frames);
      },
    };
  }

  get recoveryMs(): number {
    return this.#parts.limits.room.recoveryMs;
  }

  async admit(handshake: Handshake): Promise<Admission> {
    if (this.#isClosing) return { ok: false, code: 'unavailable', message: 'The service is restarting' };
    const takeOver = ({ id, did, sessionId }: RecoveryTicket) => this.hub.takeOver(id, { ownerDid: did, sessionId });
    return admit({ ...this.#parts, seats: this.seats, takeOver }, handshake);
  }

  /** Puts an admitted socket into its room, and greets it with what it missed since `offset`. */
  join(member: Member, since?: string): Joined {
    const place = { ownerDid: member.did, sessionId: member.sessionId };
    const missed = since === undefined ? [] : (this.hub.missed(place, member.id, since) ?? []);
    const offset = this.hub.join(member);
    for (const { frame, offset: after } of missed) member.send(frame, after);
    greet(member, new Date(this.#parts.nowMs()), offset);
    const budget = new EventBudget(this.#parts.limits.events, this.#parts.nowMs);
    const parts = { hub: this.hub, calls: this.#calls, now: () => new Date(this.#parts.nowMs()), log: this.#parts.log };
    return {
      receive: (event, data) => {
        if (budget.spend()) handleClientEvent(member, event, data, parts);
        else member.close('flood');
      },
      leave: () => this.hub.leave(member),
    };
  }

  closeSession(place: Place): Promise<void> {
    return this.hub.closeSession(place);
  }

  /** Asks all clients to come back to another replica, and lets nobody in any more. */
  close(): void {
    this.#isClosing = true;
    clearInterval(this.#sweeper);
    this.hub.closeAll('shutdown');
  }
}
