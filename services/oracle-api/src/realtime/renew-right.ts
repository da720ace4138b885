import { converseAbility } from '@mlango/schemas/oracle-delegation';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { UcanAuth } from '@mlango/ucan-auth/auth';
import { type AuthOutcome, failureOf } from '@mlango/ucan-auth/auth-outcome';
import { codeOfStatus } from './admission.js';
import { credentialsOf, tokensInAuth } from './credentials.js';
import { frameOf } from './frame.js';
import type { Member } from './member.js';
import type { Rights } from './rights.js';
import { rightOf } from './socket-right.js';

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
  const outcome = ofSameUser(await judge(shown, member.address, parts), member);
  if (!outcome.ok) {
    const { artifact, reason, message, status } = outcome.failure;
    log.info({ artifact, reason }, 'socket not renewed');
    return refuseRenewal(member, codeOfStatus[status], message, now());
  }
  const right = rightOf(outcome.caller);
  if (!rights.renew(member, right)) return;
  member.credentials = kept([...member.credentials, ...credentialsOf(...tokensInAuth(shown))]);
  const { sessionId } = member;
  const [validUntil, closesAt] = [right.expiresAtMs, rights.closesAtMs(right)].map((ms) => new Date(ms).toISOString());
  member.send(frameOf('authenticated', { sessionId, validUntil, closesAt, timestamp: now().toISOString() }));
}

async function judge(shown: unknown, address: string, { auth, requests }: RenewalParts): Promise<AuthOutcome> {
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
function kept(credentials: readonly string[]): string[] {
  const different = [...new Set(credentials)];
  return different.length <= 8 ? different : [...different.slice(0, 2), ...different.slice(-4)];
}
