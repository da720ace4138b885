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
  /** Whether one of these UCANs was revoked by one of their issuers. Rejects if that cannot be determined. */
  readonly isAnyRevoked: (path: SocketRight['path']) => Promise<boolean>;
  readonly end: (member: Member, why: 'expired' | 'revoked') => void;
  readonly nowMs: () => number;
  readonly log: { warn(fields: object, text: string): void };
  readonly limits: Omit<RealtimeLimits['rights'], 'renewals'>;
}

/** Sockets checked by one query. */
const checkedTogether = 50;

/**
 * Closes sockets of this process with expired or revoked tokens. The owner calls `sweep`; a published revocation checks only its sockets.
 */
export class Rights {
  readonly #parts: RightsParts;
  /** Time of the last revocation check by socket. */
  readonly #checkedAtMs = new Map<Member, number>();
  readonly #byCid = new Map<string, Set<Member>>();
  #checking: Promise<void> | undefined;
  #isStoreDown = false;

  constructor(parts: RightsParts) {
    this.#parts = parts;
  }

  /** Whether a disconnected socket with this right may resume. Rejects if that cannot be determined. */
  async holds(right: SocketRight): Promise<boolean> {
    return !this.#hasExpired(right) && !(await this.#parts.isAnyRevoked(right.path));
  }

  /** Starts checking a socket. The next sweep finds a revocation that happened during admission. */
  watch(member: Member): void {
    this.#index(member);
    this.#checkedAtMs.set(member, Number.NEGATIVE_INFINITY);
  }

  /** False for a socket that has closed. */
  renew(member: Member, right: SocketRight): boolean {
    if (!this.#checkedAtMs.has(member)) return false;
    this.forget(member);
    member.right = right;
    this.watch(member);
    return true;
  }

  /** Closing time of a socket with this right, in ms since the epoch. */
  closesAtMs({ expiresAtMs }: SocketRight): number {
    return expiresAtMs + this.#parts.limits.graceMs;
  }

  /** Idempotent. */
  forget(member: Member): void {
    this.#checkedAtMs.delete(member);
    for (const { cid } of member.right.path) {
      const members = this.#byCid.get(cid);
      members?.delete(member);
      if (members?.size === 0) this.#byCid.delete(cid);
    }
  }

  /** Closes the sockets of a UCAN that a message reports as revoked, if the store confirms it. Never rejects. */
  async closeRevoked(revoked: RevokedUcan): Promise<void> {
    const members = [...(this.#byCid.get(revoked.cid) ?? [])].filter(({ right }) => isOn(right, revoked));
    if (members.length === 0) return;
    try {
      // One query for all its sockets.
      if (!(await this.#parts.isAnyRevoked([revoked]))) return;
      for (const member of members) if (isOn(member.right, revoked)) this.#end(member, 'revoked');
    } catch (err) {
      this.#parts.log.warn({ err }, 'revocation check failed, will retry');
      for (const member of members) this.#scheduleCheck(member);
    }
  }

  /** Closes expired sockets and checks revocations that are due. Never rejects. */
  sweep(): Promise<void> {
    for (const member of this.#checkedAtMs.keys()) if (this.#hasExpired(member.right)) this.#end(member, 'expired');
    this.#checking ??= this.#checkDue().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkDue(): Promise<void> {
    try {
      const due = this.#due();
      for (let at = 0; at < due.length; at += checkedTogether) await this.#check(due.slice(at, at + checkedTogether));
      this.#isStoreDown = false;
    } catch (err) {
      // Sockets survive an outage of the store; the check is retried.
      if (!this.#isStoreDown) this.#parts.log.warn({ err }, 'revocation check of open sockets failed');
      this.#isStoreDown = true;
    }
  }

  /** Checks many sockets by one query; a hit splits them in halves. */
  async #check(members: readonly Member[]): Promise<void> {
    const checked = members.map((member) => ({ member, right: member.right }));
    const nowMs = this.#parts.nowMs();
    const isAny = await this.#parts.isAnyRevoked(checked.flatMap(({ right }) => right.path));
    if (isAny && members.length > 1) {
      const half = Math.ceil(members.length / 2);
      await this.#check(members.slice(0, half));
      await this.#check(members.slice(half));
      return;
    }
    for (const { member, right } of checked) {
      if (member.right !== right || !this.#checkedAtMs.has(member)) continue;
      if (isAny) this.#end(member, 'revoked');
      else this.#checkedAtMs.set(member, nowMs);
    }
  }

  #due(): Member[] {
    const before = this.#parts.nowMs() - this.#parts.limits.recheckMs;
    return [...this.#checkedAtMs].filter(([, checkedAtMs]) => checkedAtMs <= before).map(([member]) => member);
  }

  /** Makes the next sweep check the socket. */
  #scheduleCheck(member: Member): void {
    if (this.#checkedAtMs.has(member)) this.#checkedAtMs.set(member, Number.NEGATIVE_INFINITY);
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
    if (!this.#checkedAtMs.has(member)) return;
    this.forget(member);
    this.#parts.end(member, why);
  }
}

/** A revocation applies to a path that contains the UCAN and another UCAN, or this one, by the revoking issuer. */
function isOn({ path }: SocketRight, { cid, issuer }: RevokedUcan): boolean {
  return path.some((ucan) => ucan.cid === cid) && path.some((ucan) => ucan.issuer === issuer);
}

export interface RenewalParts {
  readonly auth: Pick<UcanAuth, 'handshake'>;
  /** Requests per address, as for handshakes. */
  readonly requests: Allowance;
  readonly rights: Pick<Rights, 'renew' | 'closesAtMs'>;
  readonly now: () => Date;
  readonly log: { info(fields: object, text: string): void };
}

/**
 * Extends the right of an open socket by new tokens of the same user and delegate, and sends the new expiry. A refusal changes
 * nothing. Never rejects.
 */
export async function renewRight(member: Member, tokens: unknown, parts: RenewalParts): Promise<void> {
  const { rights, now, log } = parts;
  const outcome = ofSameUser(await verify(tokens, member.address, parts), member);
  if (!outcome.ok) {
    const { artifact, reason, message, status } = outcome.failure;
    log.info({ artifact, reason }, 'socket not renewed');
    return refuseRenewal(member, codeOfStatus[status], message, now());
  }
  const right = rightOf(outcome.caller);
  if (!rights.renew(member, right)) return;
  member.credentials = recentCredentials([...member.credentials, ...credentialsOf(...tokensInAuth(tokens))]);
  const { sessionId } = member;
  const [validUntil, closesAt] = [right.expiresAtMs, rights.closesAtMs(right)].map((ms) => new Date(ms).toISOString());
  member.send(frameOf('authenticated', { sessionId, validUntil, closesAt, timestamp: now().toISOString() }));
}

async function verify(tokens: unknown, address: string, { auth, requests }: RenewalParts): Promise<AuthOutcome> {
  try {
    const taken = await requests.take(address);
    if (!taken.ok) return { ok: false, failure: failureOf('none', 'rate_limited', taken.retryAfterSeconds) };
    return await auth.handshake(tokens, { address }, converseAbility);
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

/** Another user's token is refused like an invalid one. */
function ofSameUser(outcome: AuthOutcome, { did, actor }: Pick<Member, 'did' | 'actor'>): AuthOutcome {
  if (!outcome.ok || (outcome.caller.did === did && outcome.caller.actor === actor)) return outcome;
  return { ok: false, failure: failureOf(outcome.caller.via, 'not_authorized') };
}

/** First two and last four: clients resume with their first or last token, and messages of the tab carry the last. */
function recentCredentials(credentials: readonly string[]): string[] {
  const different = [...new Set(credentials)];
  return different.length <= 8 ? different : [...different.slice(0, 2), ...different.slice(-4)];
}
