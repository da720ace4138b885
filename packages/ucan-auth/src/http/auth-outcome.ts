import type { RefusalCode } from '../decode/refusal.js';

/** A delegation from the caller to this service, sent with a request. `UcanAuth.grant` verifies its capabilities. */
export interface CallerDelegation {
  /** The token: a bearer secret, which must be sealed in storage and must not be logged. */
  readonly token: string;
  readonly cid: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** The authenticated caller of a request. */
export interface Caller {
  readonly did: string;
  /** DID that signed the request, if it acts on behalf of `did`, by a grant of `did`. */
  readonly actor?: string;
  /** `app`: authenticated by the app without a UCAN; then the path is empty. */
  readonly via: 'invocation' | 'delegation' | 'app';
  /** Earliest expiry on `path`, Unix seconds. */
  readonly validUntil: number;
  /** UCANs of the proof chain, the token's own first. If one of them is revoked, the caller is no longer authenticated. */
  readonly path: readonly { readonly cid: string; readonly issuer: string }[];
  readonly delegation?: CallerDelegation;
}

/** Response to a request without an accepted caller. The caller sees status, message and headers only. */
export interface AuthFailure {
  readonly status: 401 | 429 | 503;
  readonly message: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The refused credential, for logs and metrics. */
  readonly artifact: 'none' | 'invocation' | 'delegation';
  /** For logs and metrics. */
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
 * The response for a refused or missing credential.
 * @param retryAfterSeconds for the reason `rate_limited`
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
