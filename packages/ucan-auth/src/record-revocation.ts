import type { Allowance, Sender } from './allowance.js';
import { readRevocation } from './read-revocation.js';
import type { RevocationStore } from './revocation-store.js';
import { GRACE_SECONDS } from './store-times.js';
import type { Validation, Verdict } from './verdict.js';

/** A revocation that is on record: which UCAN was taken back, and by whom; or why it is not. */
export type Revoking =
  | {
      readonly ok: true;
      readonly verdict: Verdict;
      readonly revoked: { readonly cid: string; readonly issuer: string };
    }
  | Extract<Validation, { readonly ok: false }>;

/** How many revocations may be asked for in a while. */
export interface RevokingAllowances {
  /** Of one address, good or bad. */
  readonly ofAddress: Allowance;
  /** By one issuer, who has proved to be it. */
  readonly ofIssuer: Allowance;
}

export interface RecordingParts {
  readonly revocations: RevocationStore | undefined;
  readonly allowances: RevokingAllowances | undefined;
  /** Unix seconds. */
  readonly now: () => number;
}

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;

/**
 * Records what a token takes back, once `judge` has found that it may. What has expired for everybody is not kept: nothing
 * rests on it any more. Never rejects.
 */
export async function recordRevocation(
  { address }: Sender,
  judge: () => Promise<Validation>,
  { revocations, allowances, now }: RecordingParts,
): Promise<Revoking> {
  try {
    if (address !== undefined) {
      const taken = await allowances?.ofAddress.take(address);
      if (taken?.ok === false) return { ok: false, code: 'rate_limited', retryAfterSeconds: taken.retryAfterSeconds };
    }
    const validation = await judge();
    if (!validation.ok) return validation;
    const revocation = readRevocation(validation.verdict);
    if (revocation === undefined) return { ok: false, code: 'wrong_capability' };
    if (revocations === undefined) return UNAVAILABLE;
    const { cid, issuer, expiresAt } = revocation;
    const taken = await allowances?.ofIssuer.take(issuer);
    if (taken?.ok === false) return { ok: false, code: 'rate_limited', retryAfterSeconds: taken.retryAfterSeconds };
    const isOver = expiresAt < now() - GRACE_SECONDS;
    if (!isOver && (await revocations.revoke(revocation)) === 'full') return { ok: false, code: 'no_room' };
    return { ok: true, verdict: validation.verdict, revoked: { cid, issuer } };
  } catch {
    return UNAVAILABLE;
  }
}
