import type { BusMessage, HubBus, SessionMessage } from './hub-bus.js';
import type { RealtimeLimits } from './limits.js';
import type { CloseReason, Frame, Member } from './member.js';

/** Concurrent publications to other replicas; above that they are dropped. */
const publicationsAtOnce = 1_000;

/** A session and its owner. */
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

/** Rooms of this process, one per session with a local socket. A published frame reaches the owner's sockets on all replicas. */
export class Hub {
  readonly #parts: HubParts;
  readonly #rooms = new Map<string, Room>();
  readonly #members = new Map<string, Member>();
  #publishing = 0;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  get stats(): { activeSessions: number; totalConnections: number } {
    const occupied = [...this.#rooms.values()].filter((room) => room.members.size > 0);
    return { activeSessions: occupied.length, totalConnections: this.#members.size };
  }

  /** Whether this process has a room for the session of this owner. */
  has(place: SessionRef): boolean {
    return this.#roomAt(place) !== undefined;
  }

  /** Call before a member joins. Resolves when messages of other replicas arrive, or soon if the bus is down. Never rejects. */
  async open(place: SessionRef): Promise<void> {
    this.#openRoom(place);
    await this.#parts.bus.follow(place.sessionId);
  }

  /** Adds a member to the room of its session, replacing one with the same id. Returns the room's offset. */
  join(member: Member): string {
    this.#evict(member.id);
    const room = this.#openRoom({ ownerDid: member.did, sessionId: member.sessionId });
    void this.#parts.bus.follow(member.sessionId);
    room.members.set(member.id, member);
    this.#members.set(member.id, member);
    return room.offset;
  }

  /** Idempotent; ignores a member that was replaced. */
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

  /** Frames for a member since `offset`; undefined if some are no longer stored. */
  missed(place: SessionRef, memberId: string, offset: string): { frame: Frame; offset: string }[] | undefined {
    return this.#roomAt(place)?.missed(memberId, offset, this.#parts.nowMs());
  }

  /**
   * Sends frames to all sockets of a session, local ones first. Never rejects: without the bus, or with `publicationsAtOnce` (1,000)
   * pending publications, only local sockets receive them.
   */
  async publish({ ownerDid: did, sessionId }: SessionRef, frames: readonly Frame[]): Promise<void> {
    this.#deliver({ ownerDid: did, sessionId }, frames);
    if (this.#publishing >= publicationsAtOnce) {
      this.#parts.log.warn({ sessionId }, 'frames not published to other replicas, too many in flight');
      return;
    }
    this.#publishing++;
    await this.#publishToOthers({ kind: 'frames', did, sessionId, frames: [...frames] });
    this.#publishing--;
  }

  /** Sends to one socket of this process. False if it is not connected. */
  sendTo(place: SessionRef, memberId: string, frame: Frame): boolean {
    const room = this.#roomAt(place);
    if (room === undefined || !room.members.has(memberId)) return false;
    room.deliver(frame, this.#parts.nowMs(), memberId);
    return true;
  }

  /** Closes the sockets of a session that was deleted, on all replicas. */
  async closeSession({ ownerDid: did, sessionId }: SessionRef): Promise<void> {
    this.#closeRoom({ ownerDid: did, sessionId });
    await this.#publishToOthers({ kind: 'session_deleted', did, sessionId });
  }

  /** Closes the previous connection of a resumed socket on all replicas. */
  async takeOver(memberId: string, { ownerDid: did, sessionId }: SessionRef): Promise<void> {
    this.#evict(memberId);
    await this.#publishToOthers({ kind: 'member_moved', memberId, did, sessionId });
  }

  /** Handles a message of another replica. */
  receive(message: BusMessage): void {
    if (message.kind === 'frames') {
      this.#deliver({ ownerDid: message.did, sessionId: message.sessionId }, message.frames);
    } else if (message.kind === 'session_deleted') {
      this.#closeRoom({ ownerDid: message.did, sessionId: message.sessionId });
    } else if (message.kind === 'member_moved') {
      this.#evict(message.memberId);
    }
  }

  /** Drops empty rooms after the recovery time. */
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

  async #publishToOthers(message: SessionMessage): Promise<void> {
    await this.#parts.bus.publish(message).catch((err: unknown) => {
      this.#parts.log.warn({ err, kind: message.kind }, 'not published to other replicas');
    });
  }
}

interface StoredFrame {
  readonly frame: Frame;
  readonly position: number;
  readonly atMs: number;
  /** The only recipient; all members if undefined. */
  readonly onlyFor: string | undefined;
}

/** Local sockets of one session with the last frames for recovery, bounded by time, number and size. */
export class Room {
  readonly ownerDid: string;
  readonly members = new Map<string, Member>();
  readonly #epoch: string;
  readonly #limits: RealtimeLimits['room'];
  readonly #frames: StoredFrame[] = [];
  #position = 0;
  #chars = 0;
  #emptySinceMs: number | undefined;

  /** `epoch` makes the offsets of this room unique. */
  constructor(ownerDid: string, epoch: string, limits: RealtimeLimits['room']) {
    this.ownerDid = ownerDid;
    this.#epoch = epoch;
    this.#limits = limits;
  }

  /** Position after the last frame. */
  get offset(): string {
    return this.#offsetOf(this.#position);
  }

  deliver(frame: Frame, nowMs: number, onlyFor?: string): void {
    this.#position += 1;
    this.#frames.push({ frame, position: this.#position, atMs: nowMs, onlyFor });
    this.#chars += frame.text.length;
    this.#forgetOld(nowMs);
    const offset = this.offset;
    if (onlyFor !== undefined) {
      this.members.get(onlyFor)?.send(frame, offset);
      return;
    }
    for (const member of this.members.values()) member.send(frame, offset);
  }

  /** Frames for a member after `offset`; undefined if some are no longer stored. */
  missed(memberId: string, offset: string, nowMs: number): { frame: Frame; offset: string }[] | undefined {
    this.#forgetOld(nowMs);
    const after = this.#positionOf(offset);
    const forgotten = this.#frames[0] === undefined ? this.#position : this.#frames[0].position - 1;
    if (after === undefined || after < forgotten || after > this.#position) return undefined;
    return this.#frames
      .filter((stored) => stored.position > after && (stored.onlyFor === undefined || stored.onlyFor === memberId))
      .map(({ frame, position }) => ({ frame, offset: this.#offsetOf(position) }));
  }

  /** Whether the room is empty and its recovery time is over. */
  isOver(nowMs: number): boolean {
    if (this.members.size > 0) {
      this.#emptySinceMs = undefined;
      return false;
    }
    this.#emptySinceMs ??= nowMs;
    return nowMs - this.#emptySinceMs >= this.#limits.recoveryMs;
  }

  /** Restarts the recovery time for a member that is about to join. */
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
    const { recoveryMs, storedFrames, storedChars } = this.#limits;
    let count = 0;
    for (const { frame, atMs } of this.#frames) {
      const left = this.#frames.length - count;
      if (left <= storedFrames && this.#chars <= storedChars && nowMs - atMs < recoveryMs) break;
      this.#chars -= frame.text.length;
      count += 1;
    }
    this.#frames.splice(0, count);
  }
}
