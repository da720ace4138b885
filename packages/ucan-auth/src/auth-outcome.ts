import type { RefusalCode } from './refusal.js';

/** A delegation that came with a request, from the caller to this service. What it grants is another question: `grant`. */
export interface PresentedDelegation {
  /** The token itself: a bearer secret, to be sealed wherever it is kept and never logged. */
  readonly token: string;
  readonly cid: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** Who is calling, proved by a signature. */
export interface Caller {
  readonly did: string;
  /** Who acts for that DID, where somebody else does, as it has granted. */
  readonly actor?: string;
  /** `app`: known to the app by other means than a UCAN; then the path is empty. */
  readonly via: 'invocation' | 'delegation' | 'app';
  /** When the proof of identity stops being good: the earliest expiry on its path, Unix seconds. */
  readonly validUntil: number;
  /** The UCANs it rests on, its own first: once one of them is taken back it is no proof any more. */
  readonly path: readonly { readonly cid: string; readonly issuer: string }[];
  readonly delegation?: PresentedDelegation;
}

/** How a request without an accepted caller is answered. Status, message and headers are all the caller may see. */
export interface AuthFailure {
  readonly status: 401 | 429 | 503;
  readonly message: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** For logs and metrics: which artifact decided, and why it was refused. */
  readonly artifact: 'none' | 'invocation' | 'delegation';
  readonly reason: RefusalCode | 'missing' | 'delegation_not_accepted';
}

export type AuthOutcome =
  | { readonly ok: true; readonly caller: Caller & { readonly via: 'invocation' | 'delegation' } }
  | { readonly ok: false; readonly failure: AuthFailure };

export const MISSING_TEXT =
  'Missing UCAN authentication: provide Authorization: Bearer <invocation> with X-Auth-Type: ucan, or an x-ucan-delegation header';
export const INVALID_TEXT = 'Invalid UCAN invocation';
export const UNAVAILABLE_TEXT = 'Authentication is not available at the moment';
const RETRY_AFTER_SECONDS = 2;

/**
 * The failure that answers for a refused artifact, or for none at all.
 *
 * @param retryAfterSeconds of one that is `rate_limited`
 */
export function failureOf(
  artifact: AuthFailure['artifact'],
  reason: AuthFailure['reason'],
  retryAfterSeconds = RETRY_AFTER_SECONDS,
): AuthFailure {
  if (reason === 'rate_limited') {
    const message = `Too many requests. Retry in ${retryAfterSeconds} seconds.`;
    return { status: 429, message, headers: { 'retry-after': String(retryAfterSeconds) }, artifact, reason };
  }
  if (reason === 'unavailable') {
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
    return { status: 503, message: UNAVAILABLE_TEXT, headers, artifact, reason };
  }
  const message = artifact === 'invocation' ? INVALID_TEXT : MISSING_TEXT;
  return { status: 401, message, headers: { 'www-authenticate': 'Bearer' }, artifact, reason };
}
