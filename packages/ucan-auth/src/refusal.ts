/**
 * Why a token was refused: for logs and metrics, never for callers.
 *
 * Form: `too_large`, `malformed` (not the one spelling of an archive of UCANs), `unsupported` (well formed, but of a kind
 * that is not accepted: another key type, version, hash or DID method, an attestation), `too_complex`.
 * Claim: `wrong_audience`, `no_expiry`, `ttl_too_long`, `expired`, `not_yet_valid`, `wrong_capability`, `wrong_resource`.
 * Trust: `unknown_issuer` (its DID has no usable key), `bad_signature`, `not_authorized` (no proof grants the claim),
 * `revoked`, `replayed`. Neither: `unavailable` (a key or the revocations could not be read just now; try again),
 * `rate_limited` (its sender has used up what may be looked up or recorded for him in a while), `no_room` (as many revocations
 * of its issuer are kept as may be).
 */
export type RefusalCode =
  | 'too_large'
  | 'malformed'
  | 'unsupported'
  | 'too_complex'
  | 'wrong_audience'
  | 'no_expiry'
  | 'ttl_too_long'
  | 'expired'
  | 'not_yet_valid'
  | 'wrong_capability'
  | 'wrong_resource'
  | 'unknown_issuer'
  | 'bad_signature'
  | 'not_authorized'
  | 'revoked'
  | 'replayed'
  | 'unavailable'
  | 'rate_limited'
  | 'no_room';

/** Thrown inside the package to leave a nested check; it never leaves the package. */
export class Refused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(code);
    this.name = 'Refused';
    this.code = code;
  }
}

/** The code of whatever was thrown. Messages are not read: they can be made of the token's own text, at any length. */
export function refusalOf(thrown: unknown): RefusalCode {
  return thrown instanceof Refused ? thrown.code : 'malformed';
}
