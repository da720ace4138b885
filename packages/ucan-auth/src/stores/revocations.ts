import { isLink } from 'multiformats/link';
import { keyOfCid } from '../decode/archive.js';
import type { Allowance, Sender } from '../dids/did-resolver.js';
import type { Validation, VerifiedToken } from '../verify/result.js';
import { GRACE_SECONDS, type RevocationStore } from './token-stores.js';

/** A stored revocation, with the CID and issuer that it names; or why it is not stored. */
export type RevocationResult =
  | {
      readonly ok: true;
      readonly result: VerifiedToken;
      readonly revoked: { readonly cid: string; readonly issuer: string };
    }
  | Extract<Validation, { readonly ok: false }>;

/** Limits of revocation requests per period. */
export interface RevocationAllowances {
  /** Requests of an address, valid or not. */
  readonly ofAddress: Allowance;
  /** Valid requests of an issuer. */
  readonly ofIssuer: Allowance;
}

export interface RecordingParts {
  readonly revocations: RevocationStore | undefined;
  readonly allowances: RevocationAllowances | undefined;
  /** Unix seconds. */
  readonly now: () => number;
}

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;

/**
 * Stores the revocation in a token, after `verify` has accepted the token. A revocation of an expired UCAN has no effect and is
 * not stored. Never rejects.
 */
export async function recordRevocation(
  { address }: Sender,
  verify: () => Promise<Validation>,
  { revocations, allowances, now }: RecordingParts,
): Promise<RevocationResult> {
  try {
    if (address !== undefined) {
      const taken = await allowances?.ofAddress.take(address);
      if (taken?.ok === false) return { ok: false, code: 'rate_limited', retryAfterSeconds: taken.retryAfterSeconds };
    }
    const validation = await verify();
    if (!validation.ok) return validation;
    const revocation = readRevocation(validation.result);
    if (revocation === undefined) return { ok: false, code: 'wrong_capability' };
    if (revocations === undefined) return UNAVAILABLE;
    const { cid, issuer, expiresAt } = revocation;
    const taken = await allowances?.ofIssuer.take(issuer);
    if (taken?.ok === false) return { ok: false, code: 'rate_limited', retryAfterSeconds: taken.retryAfterSeconds };
    const isExpired = expiresAt < now() - GRACE_SECONDS;
    if (!isExpired && (await revocations.revoke(revocation)) === 'full') return { ok: false, code: 'no_room' };
    return { ok: true, result: validation.result, revoked: { cid, issuer } };
  } catch {
    return UNAVAILABLE;
  }
}

/** The revocation in the caveats of an accepted `ucan/revoke` invocation; undefined if they name no UCAN. */
function readRevocation({ issuer, capabilities: [capability] }: VerifiedToken) {
  const { ucan, exp }: { readonly ucan?: unknown; readonly exp?: unknown } = capability?.nb ?? {};
  if (!isLink(ucan) || keyOfCid(ucan) === undefined) return undefined;
  // Without the UCAN's expiry the revocation is stored forever. A false expiry affects only the author of the revocation.
  if (exp !== undefined && (typeof exp !== 'number' || !Number.isSafeInteger(exp))) return undefined;
  return { cid: ucan.toString(), issuer, expiresAt: exp ?? Number.POSITIVE_INFINITY };
}

/** `revoked` if a UCAN on the token's path is revoked, `unavailable` if the store is, else undefined. Never rejects. */
export async function checkRevocations(
  { path }: VerifiedToken,
  revocations: RevocationStore,
): Promise<'revoked' | 'unavailable' | undefined> {
  try {
    return (await revocations.isAnyRevoked(path)) ? 'revoked' : undefined;
  } catch {
    return 'unavailable';
  }
}
