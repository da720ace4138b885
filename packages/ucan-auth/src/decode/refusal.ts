/** Codes of refused tokens, each with a sentence for authors of tokens (`ucan inspect`). */
export const REFUSAL_TEXTS = {
  // Form, checked by `decodeToken`.
  too_large: 'it exceeds the maximum length of 8192 characters',
  malformed: 'the base64, the archive, a CID or a block is not in the one accepted encoding',
  unsupported: 'it is well formed, but has an unsupported key type, version, hash or DID, or an attestation',
  too_complex: 'it has too many blocks, proofs, capabilities or levels, or its proofs take too many steps to search',
  // Claim, checked by `checkRequirements`.
  wrong_audience: 'it is addressed to another service',
  no_expiry: 'it never expires',
  ttl_too_long: 'it expires too far ahead',
  expired: 'it has expired',
  not_yet_valid: 'it is not valid yet',
  wrong_capability: 'it does not have exactly the one required capability, * without caveats',
  wrong_resource: 'its capability is for another resource',
  // Trust, checked by `verifyCapabilities`, the revocation store and the replay store.
  unknown_issuer: 'no key was found for one of its issuers',
  bad_signature: 'a signature is not by its issuer',
  not_authorized: 'no chain of valid proofs grants the capability to its issuer',
  revoked: 'an issuer on its proof chain revoked it',
  replayed: 'it is for single use and was used before',
  // Capacity: the same token may be accepted later.
  unavailable: 'a key could not be looked up at the moment',
  rate_limited: 'its sender exceeded the limit of key lookups or revocations',
  no_room: 'the limit of stored revocations of its issuer is reached',
} as const;

/** Why a token was refused. Codes are for logs and metrics; callers get one of the fixed texts of `http/auth-outcome`. */
export type RefusalCode = keyof typeof REFUSAL_TEXTS;

/** Leaves nested checks inside this package; never thrown out of it. */
export class Refused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(code);
    this.name = 'Refused';
    this.code = code;
  }
}

/** The code of a thrown value. Other errors are `malformed`; their messages may hold text of the token and are not used. */
export function refusalOf(thrown: unknown): RefusalCode {
  return thrown instanceof Refused ? thrown.code : 'malformed';
}
