import { converseAbility } from '@mlango/schemas/oracle-delegation';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { UcanAuth } from '@mlango/ucan-auth/auth';
import { type AuthOutcome, failureOf } from '@mlango/ucan-auth/auth-outcome';
import { codeOfStatus } from './admission.js';
import type { RealtimeLimits } from './limits.js';
import {
  credentialsOf,
  frameOf,
  type Member,
  type RevokedUcan,
  rightOf,
  type SocketRight,
  tokensInAuth,
} from './member.js';

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
  async closeRevoked(revoked: RevokedUcan): Promise<void> {
    const members = [...(this.#byCid.get(revoked.cid) ?? [])].filter(({ right }) => isOn(right, revoked));
    if (members.length === 0) return;
    try {
      // The record itself: one question for however many sockets rest on it.
      if (!(await this.#parts.isAnyRevoked([revoked]))) return;
      for (const member of members) if (isOn(member.right, revoked)) this.#end(member, 'revoked');
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
function isOn({ path }: SocketRight, { cid, issuer }: RevokedUcan): boolean {
  return path.some((ucan) => ucan.cid === cid) && path.some((ucan) => ucan.issuer === issuer);
}

export interface RenewalParts {
  readonly auth: Pick<UcanAuth, 'handshake'>;
  /** Of addresses, as for handshakes. */
  readonly requests: Allowance;
  readonly rights: Pick<Rights, 'renew' | 'closesAtMs'>;
  readonly now: () => Date;
  readonly log: { info(fields: object, text: string): void };
}

/**
 * Takes what an open socket shows afresh, by the rules of its handshake and from the same user, and the same who acts for them, only, and says until when it
 * holds. What is refused changes nothing: the socket stays as long as it would have. Never rejects.
 */
export async function renewRight(member: Member, shown: unknown, parts: RenewalParts): Promise<void> {
  const { rights, now, log } = parts;
  const outcome = ofSameUser(await verify(shown, member.address, parts), member);
  if (!outcome.ok) {
    const { artifact, reason, message, status } = outcome.failure;
    log.info({ artifact, reason }, 'socket not renewed');
    return refuseRenewal(member, codeOfStatus[status], message, now());
  }
  const right = rightOf(outcome.caller);
  if (!rights.renew(member, right)) return;
  member.credentials = recentCredentials([...member.credentials, ...credentialsOf(...tokensInAuth(shown))]);
  const { sessionId } = member;
  const [validUntil, closesAt] = [right.expiresAtMs, rights.closesAtMs(right)].map((ms) => new Date(ms).toISOString());
  member.send(frameOf('authenticated', { sessionId, validUntil, closesAt, timestamp: now().toISOString() }));
}

async function verify(shown: unknown, address: string, { auth, requests }: RenewalParts): Promise<AuthOutcome> {
  try {
    const taken = await requests.take(address);
    if (!taken.ok) return { ok: false, failure: failureOf('none', 'rate_limited', taken.retryAfterSeconds) };
    return await auth.handshake(shown, { address }, converseAbility);
  } catch {
    return { ok: false, failure: failureOf('none', 'unavailable') };
  }
}

export function refuseRenewal(
  member: Member,
  code: 'unauthenticated' | 'unavailable' | 'too_many',
  message: string,
  now: Date,
): void {
  const { sessionId } = member;
  member.send(frameOf('auth_error', { sessionId, code, message, timestamp: now.toISOString() }));
}

/** Somebody else's token is refused like one that is no good. */
function ofSameUser(outcome: AuthOutcome, { did, actor }: Pick<Member, 'did' | 'actor'>): AuthOutcome {
  if (!outcome.ok || (outcome.caller.did === did && outcome.caller.actor === actor)) return outcome;
  return { ok: false, failure: failureOf(outcome.caller.via, 'not_authorized') };
}

/** Clients come back with what they showed first or last; a message of the same tab comes with the last. */
function recentCredentials(credentials: readonly string[]): string[] {
  const different = [...new Set(credentials)];
  return different.length <= 8 ? different : [...different.slice(0, 2), ...different.slice(-4)];
}
