import type { BusMessage, HubBus, SessionMessage } from './hub-bus.js';
import type { RealtimeLimits } from './limits.js';
import type { CloseReason, Frame, Member } from './member.js';

/** Of what is told to sessions: how much may be on its way to the other replicas. They are not told of what comes on top. */
const tellsAtOnce = 1_000;

/** A session, and whose it is. */
export interface SessionRef {
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
  has(place: SessionRef): boolean {
    return this.#roomAt(place) !== undefined;
  }

  /**
   * To be called before a member joins. Resolves when the room of a session hears all that other replicas tell from now on, or will as soon as the
   * bus is up. Never rejects.
   */
  async open(place: SessionRef): Promise<void> {
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

  membersAt(place: SessionRef): Member[] {
    return [...(this.#roomAt(place)?.members.values() ?? [])];
  }

  /** What a member has missed since `offset`; undefined when that is not all known here. */
  missed(place: SessionRef, memberId: string, offset: string): { frame: Frame; offset: string }[] | undefined {
    return this.#roomAt(place)?.missed(memberId, offset, this.#parts.nowMs());
  }

  /**
   * Tells all sockets of a session, here first. Never rejects: without the bus, or with `tellsAtOnce` (1,000) still on their way
   * to it, only those here are told.
   */
  async publish({ ownerDid: did, sessionId }: SessionRef, frames: readonly Frame[]): Promise<void> {
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
  sendTo(place: SessionRef, memberId: string, frame: Frame): boolean {
    const room = this.#roomAt(place);
    if (room === undefined || !room.members.has(memberId)) return false;
    room.deliver(frame, this.#parts.nowMs(), memberId);
    return true;
  }

  /** Closes the sockets of a session that was deleted, on all replicas. */
  async closeSession({ ownerDid: did, sessionId }: SessionRef): Promise<void> {
    this.#closeRoom({ ownerDid: did, sessionId });
    await this.#tellOthers({ kind: 'session_deleted', did, sessionId });
  }

  /** A socket that had this id has come back: whatever is left of it elsewhere is closed. */
  async takeOver(memberId: string, { ownerDid: did, sessionId }: SessionRef): Promise<void> {
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

  #deliver(place: SessionRef, frames: readonly Frame[]): void {
    const room = this.#roomAt(place);
    if (room === undefined) return;
    const now = this.#parts.nowMs();
    for (const frame of frames) room.deliver(frame, now);
  }

  #closeRoom(place: SessionRef): void {
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

  #roomAt({ ownerDid, sessionId }: SessionRef): Room | undefined {
    const room = this.#rooms.get(sessionId);
    return room?.ownerDid === ownerDid ? room : undefined;
  }

  #openRoom({ ownerDid, sessionId }: SessionRef): Room {
    const known = this.#roomAt({ ownerDid, sessionId });
    if (known !== undefined) {
      known.reserve();
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
    await this.#parts.bus.publish(message).catch((err: unknown) => {
      this.#parts.log.warn({ err, kind: message.kind }, 'other replicas not told');
    });
  }
}

interface StoredFrame {
  readonly frame: Frame;
  readonly position: number;
  readonly atMs: number;
  /** The one member it is for; everybody's without. */
  readonly onlyFor: string | undefined;
}

/**
 * The sockets of one session at this process, and the last frames they were sent, by which one that comes back is given
 * what it missed: bounded by time, number and size.
 */
export class Room {
  readonly ownerDid: string;
  readonly members = new Map<string, Member>();
  readonly #epoch: string;
  readonly #limits: RealtimeLimits['room'];
  readonly #kept: StoredFrame[] = [];
  #position = 0;
  #chars = 0;
  #emptySinceMs: number | undefined;

  /** `epoch` makes the offsets of this room unlike those of any other, also of one for the same session. */
  constructor(ownerDid: string, epoch: string, limits: RealtimeLimits['room']) {
    this.ownerDid = ownerDid;
    this.#epoch = epoch;
    this.#limits = limits;
  }

  /** Names the place after the last frame. */
  get offset(): string {
    return this.#offsetOf(this.#position);
  }

  deliver(frame: Frame, nowMs: number, onlyFor?: string): void {
    this.#position += 1;
    this.#kept.push({ frame, position: this.#position, atMs: nowMs, onlyFor });
    this.#chars += frame.text.length;
    this.#forgetOld(nowMs);
    const offset = this.offset;
    if (onlyFor !== undefined) {
      this.members.get(onlyFor)?.send(frame, offset);
      return;
    }
    for (const member of this.members.values()) member.send(frame, offset);
  }

  /** The frames for this member after `offset`, or undefined when not all of them are kept. */
  missed(memberId: string, offset: string, nowMs: number): { frame: Frame; offset: string }[] | undefined {
    this.#forgetOld(nowMs);
    const after = this.#positionOf(offset);
    const forgotten = this.#kept[0] === undefined ? this.#position : this.#kept[0].position - 1;
    if (after === undefined || after < forgotten || after > this.#position) return undefined;
    return this.#kept
      .filter((kept) => kept.position > after && (kept.onlyFor === undefined || kept.onlyFor === memberId))
      .map(({ frame, position }) => ({ frame, offset: this.#offsetOf(position) }));
  }

  /** Whether nobody is here, and nobody can come back to what was missed. */
  isOver(nowMs: number): boolean {
    if (this.members.size > 0) {
      this.#emptySinceMs = undefined;
      return false;
    }
    this.#emptySinceMs ??= nowMs;
    return nowMs - this.#emptySinceMs >= this.#limits.recoveryMs;
  }

  /** Somebody is about to come: it is not over before they had as long as one who comes back. */
  reserve(): void {
    this.#emptySinceMs = undefined;
  }

  #offsetOf(position: number): string {
    return `${this.#epoch}.${position}`;
  }

  #positionOf(offset: string): number | undefined {
    const prefix = `${this.#epoch}.`;
    const digits = offset.slice(prefix.length);
    return offset.startsWith(prefix) && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
  }

  #forgetOld(nowMs: number): void {
    const { recoveryMs, keptFrames, keptChars } = this.#limits;
    let count = 0;
    for (const { frame, atMs } of this.#kept) {
      const left = this.#kept.length - count;
      if (left <= keptFrames && this.#chars <= keptChars && nowMs - atMs < recoveryMs) break;
      this.#chars -= frame.text.length;
      count += 1;
    }
    this.#kept.splice(0, count);
  }
}
