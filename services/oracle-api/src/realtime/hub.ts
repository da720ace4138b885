import type { Frame } from './frame.js';
import type { BusMessage, HubBus, SessionMessage } from './hub-bus.js';
import type { RealtimeLimits } from './limits.js';
import type { CloseReason, Member } from './member.js';
import { Room } from './room.js';

/** Of what is told to sessions: how much may be on its way to the other replicas. They are not told of what comes on top. */
const tellsAtOnce = 1_000;

/** A session, and whose it is. */
export interface Place {
  readonly ownerDid: string;
  readonly sessionId: string;
}

export interface HubParts {
  readonly bus: HubBus;
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly log: { warn(fields: object, text: string): void };
  readonly limits: RealtimeLimits['room'];
}

/**
 * The rooms of this process, one for each session with a socket here. What is told to a room reaches the sockets of all
 * replicas, whatever way they came in, and only those of the session's own user.
 */
export class Hub {
  readonly #parts: HubParts;
  readonly #rooms = new Map<string, Room>();
  readonly #members = new Map<string, Member>();
  #telling = 0;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  get stats(): { activeSessions: number; totalConnections: number } {
    const occupied = [...this.#rooms.values()].filter((room) => room.members.size > 0);
    return { activeSessions: occupied.length, totalConnections: this.#members.size };
  }

  /** Whether the room of a session is open here, for this user. */
  has(place: Place): boolean {
    return this.#roomAt(place) !== undefined;
  }

  /**
   * To be called before a member joins. Resolves when the room of a session hears all that other replicas tell from now on, or will as soon as the
   * bus is up. Never rejects.
   */
  async open(place: Place): Promise<void> {
    this.#openRoom(place);
    await this.#parts.bus.follow(place.sessionId);
  }

  /** Puts a member into the room of its session, in the place of one with the same id. Returns the room's offset. */
  join(member: Member): string {
    this.#evict(member.id);
    const room = this.#openRoom({ ownerDid: member.did, sessionId: member.sessionId });
    void this.#parts.bus.follow(member.sessionId);
    room.members.set(member.id, member);
    this.#members.set(member.id, member);
    return room.offset;
  }

  /** Safe to call again, and for a member in whose place another one is. */
  leave(member: Member): void {
    if (this.#members.get(member.id) !== member) return;
    this.#members.delete(member.id);
    this.#rooms.get(member.sessionId)?.members.delete(member.id);
  }

  find(memberId: string): Member | undefined {
    return this.#members.get(memberId);
  }

  membersAt(place: Place): Member[] {
    return [...(this.#roomAt(place)?.members.values() ?? [])];
  }

  /** What a member has missed since `offset`; undefined when that is not all known here. */
  missed(place: Place, memberId: string, offset: string): { frame: Frame; offset: string }[] | undefined {
    return this.#roomAt(place)?.missed(memberId, offset, this.#parts.nowMs());
  }

  /**
   * Tells all sockets of a session, here first. Never rejects: without the bus, or with `tellsAtOnce` (1,000) still on their way
   * to it, only those here are told.
   */
  async tell({ ownerDid: did, sessionId }: Place, frames: readonly Frame[]): Promise<void> {
    this.#deliver({ ownerDid: did, sessionId }, frames);
    if (this.#telling >= tellsAtOnce) {
      this.#parts.log.warn({ sessionId }, 'other replicas not told: too much is on its way to them');
      return;
    }
    this.#telling++;
    await this.#tellOthers({ kind: 'frames', did, sessionId, frames: [...frames] });
    this.#telling--;
  }

  /** Sends to one socket of this process. False when it is not here. */
  tellOne(place: Place, memberId: string, frame: Frame): boolean {
    const room = this.#roomAt(place);
    if (room === undefined || !room.members.has(memberId)) return false;
    room.deliver(frame, this.#parts.nowMs(), memberId);
    return true;
  }

  /** Closes the sockets of a session that was deleted, on all replicas. */
  async closeSession({ ownerDid: did, sessionId }: Place): Promise<void> {
    this.#closeRoom({ ownerDid: did, sessionId });
    await this.#tellOthers({ kind: 'session_deleted', did, sessionId });
  }

  /** A socket that had this id has come back: whatever is left of it elsewhere is closed. */
  async takeOver(memberId: string, { ownerDid: did, sessionId }: Place): Promise<void> {
    this.#evict(memberId);
    await this.#tellOthers({ kind: 'member_moved', memberId, did, sessionId });
  }

  /** What another replica tells. */
  receive(message: BusMessage): void {
    if (message.kind === 'frames') {
      this.#deliver({ ownerDid: message.did, sessionId: message.sessionId }, message.frames);
    } else if (message.kind === 'session_deleted') {
      this.#closeRoom({ ownerDid: message.did, sessionId: message.sessionId });
    } else if (message.kind === 'member_moved') {
      this.#evict(message.memberId);
    }
  }

  /** Drops the rooms to which nobody can come back. To be called now and then. */
  sweep(): void {
    const now = this.#parts.nowMs();
    for (const [sessionId, room] of this.#rooms) if (room.isOver(now)) this.#forget(sessionId);
  }

  closeAll(reason: CloseReason): void {
    for (const member of this.#members.values()) member.close(reason);
  }

  #deliver(place: Place, frames: readonly Frame[]): void {
    const room = this.#roomAt(place);
    if (room === undefined) return;
    const now = this.#parts.nowMs();
    for (const frame of frames) room.deliver(frame, now);
  }

  #closeRoom(place: Place): void {
    const room = this.#roomAt(place);
    if (room === undefined) return;
    this.#forget(place.sessionId);
    for (const member of room.members.values()) {
      this.#members.delete(member.id);
      member.close('session_deleted');
    }
  }

  #evict(memberId: string): void {
    const member = this.#members.get(memberId);
    if (member === undefined) return;
    this.leave(member);
    member.close('replaced');
  }

  #roomAt({ ownerDid, sessionId }: Place): Room | undefined {
    const room = this.#rooms.get(sessionId);
    return room?.ownerDid === ownerDid ? room : undefined;
  }

  #openRoom({ ownerDid, sessionId }: Place): Room {
    const known = this.#roomAt({ ownerDid, sessionId });
    if (known !== undefined) {
      known.stay();
      return known;
    }
    const room = new Room(ownerDid, this.#parts.newId(), this.#parts.limits);
    this.#rooms.set(sessionId, room);
    return room;
  }

  #forget(sessionId: string): void {
    this.#rooms.delete(sessionId);
    this.#parts.bus.unfollow(sessionId);
  }

  async #tellOthers(message: SessionMessage): Promise<void> {
    await this.#parts.bus.tell(message).catch((err: unknown) => {
      this.#parts.log.warn({ err, kind: message.kind }, 'other replicas not told');
    });
  }
}
