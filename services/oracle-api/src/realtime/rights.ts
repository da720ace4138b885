import type { RealtimeLimits } from './limits.js';
import type { Member } from './member.js';
import type { SocketRight, TakenBack } from './socket-right.js';

export interface RightsParts {
  /** Whether one of these UCANs was taken back by one of their issuers. Rejects when it cannot tell. */
  readonly isAnyRevoked: (path: SocketRight['path']) => Promise<boolean>;
  readonly end: (member: Member, why: 'expired' | 'revoked') => void;
  readonly nowMs: () => number;
  readonly log: { warn(fields: object, text: string): void };
  readonly limits: Omit<RealtimeLimits['rights'], 'renewals'>;
}

/** Sockets of which one question asks. */
const askedTogether = 50;

/**
 * What the sockets of this process may stay for. One timer of the owner looks through them; a revocation that is told asks
 * for the sockets alone whose path it is on.
 */
export class Rights {
  readonly #parts: RightsParts;
  /** When revocations were last asked for, by socket. */
  readonly #askedAtMs = new Map<Member, number>();
  readonly #byCid = new Map<string, Set<Member>>();
  #asking: Promise<void> | undefined;
  #isStoreAway = false;

  constructor(parts: RightsParts) {
    this.#parts = parts;
  }

  /** Whether a socket that showed this may come back. Rejects when that cannot be known. */
  async holds(right: SocketRight): Promise<boolean> {
    return !this.#hasExpired(right) && !(await this.#parts.isAnyRevoked(right.path));
  }

  /** From now on. What was taken back while the socket was let in is found by the next sweep. */
  watch(member: Member): void {
    this.#index(member);
    this.#askedAtMs.set(member, Number.NEGATIVE_INFINITY);
  }

  /** False for a socket that has gone meanwhile. */
  renew(member: Member, right: SocketRight): boolean {
    if (!this.#askedAtMs.has(member)) return false;
    this.forget(member);
    member.right = right;
    this.watch(member);
    return true;
  }

  /** When a socket with this right is closed, in ms since the epoch. */
  closesAtMs({ expiresAtMs }: SocketRight): number {
    return expiresAtMs + this.#parts.limits.graceMs;
  }

  /** Safe to call again. */
  forget(member: Member): void {
    this.#askedAtMs.delete(member);
    for (const { cid } of member.right.path) {
      const members = this.#byCid.get(cid);
      members?.delete(member);
      if (members?.size === 0) this.#byCid.delete(cid);
    }
  }

  /** Somebody says that a UCAN was taken back: closes the sockets for which that is so. Never rejects. */
  async takenBack(taken: TakenBack): Promise<void> {
    const members = [...(this.#byCid.get(taken.cid) ?? [])].filter(({ right }) => isOn(right, taken));
    if (members.length === 0) return;
    try {
      // The record itself: one question for however many sockets rest on it.
      if (!(await this.#parts.isAnyRevoked([taken]))) return;
      for (const member of members) if (isOn(member.right, taken)) this.#end(member, 'revoked');
    } catch (err) {
      this.#parts.log.warn({ err }, 'revocation not looked up: asked again soon');
      for (const member of members) this.#ask(member);
    }
  }

  /** Closes what has expired, and asks for the revocations that were not asked for lately. To be called often. Never rejects. */
  sweep(): Promise<void> {
    for (const member of this.#askedAtMs.keys()) if (this.#hasExpired(member.right)) this.#end(member, 'expired');
    this.#asking ??= this.#checkDue().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #checkDue(): Promise<void> {
    try {
      const due = this.#due();
      for (let at = 0; at < due.length; at += askedTogether) await this.#check(due.slice(at, at + askedTogether));
      this.#isStoreAway = false;
    } catch (err) {
      // Sockets outlive an outage of the store; they are asked for again until it answers.
      if (!this.#isStoreAway) this.#parts.log.warn({ err }, 'revocations of open sockets cannot be asked for');
      this.#isStoreAway = true;
    }
  }

  /** Asks for many at once, and halves those among which one may be revoked. */
  async #check(members: readonly Member[]): Promise<void> {
    const asked = members.map((member) => ({ member, right: member.right }));
    const nowMs = this.#parts.nowMs();
    const isAny = await this.#parts.isAnyRevoked(asked.flatMap(({ right }) => right.path));
    if (isAny && members.length > 1) {
      const half = Math.ceil(members.length / 2);
      await this.#check(members.slice(0, half));
      await this.#check(members.slice(half));
      return;
    }
    for (const { member, right } of asked) {
      if (member.right !== right || !this.#askedAtMs.has(member)) continue;
      if (isAny) this.#end(member, 'revoked');
      else this.#askedAtMs.set(member, nowMs);
    }
  }

  #due(): Member[] {
    const before = this.#parts.nowMs() - this.#parts.limits.recheckMs;
    return [...this.#askedAtMs].filter(([, askedAtMs]) => askedAtMs <= before).map(([member]) => member);
  }

  /** At the next sweep. */
  #ask(member: Member): void {
    if (this.#askedAtMs.has(member)) this.#askedAtMs.set(member, Number.NEGATIVE_INFINITY);
  }

  #hasExpired(right: SocketRight): boolean {
    return this.#parts.nowMs() >= this.closesAtMs(right);
  }

  #index(member: Member): void {
    for (const { cid } of member.right.path) {
      const members = this.#byCid.get(cid) ?? new Set();
      this.#byCid.set(cid, members.add(member));
    }
  }

  #end(member: Member, why: 'expired' | 'revoked'): void {
    if (!this.#askedAtMs.has(member)) return;
    this.forget(member);
    this.#parts.end(member, why);
  }
}

/** A revocation counts for a path that names the UCAN, and on which the one who took it back has issued something. */
function isOn({ path }: SocketRight, { cid, issuer }: TakenBack): boolean {
  return path.some((ucan) => ucan.cid === cid) && path.some((ucan) => ucan.issuer === issuer);
}
