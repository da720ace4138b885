import type { Frame } from './frame.js';
import type { RealtimeLimits } from './limits.js';
import type { Member } from './member.js';

interface Kept {
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
  readonly #kept: Kept[] = [];
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
  stay(): void {
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
