import type { RefusalCode } from './refusal.js';

/** Each code in plain words, for those who make tokens. */
export const REFUSAL_WORDS: Readonly<Record<RefusalCode, string>> = {
  too_large: 'it is longer than tokens may be (8192 characters)',
  malformed:
    'it is not written as tokens are: the base64, the archive, a CID or a block differs from the one spelling there is',
  unsupported:
    'it has something that is well formed but not accepted: another key type, version, hash or DID, or an attestation',
  too_complex: 'it has too much in it: blocks, proofs, capabilities, nesting, or ways to search for a grant',
  wrong_audience: 'it is addressed to somebody else',
  no_expiry: 'it never expires',
  ttl_too_long: 'it expires too far ahead',
  expired: 'it has expired',
  not_yet_valid: 'its time has not begun',
  wrong_capability: 'it does not have just the one capability that is asked for, * without caveats',
  wrong_resource: 'its capability is for another resource',
  unknown_issuer: 'no key can be found for one of its issuers',
  bad_signature: 'a signature is not that of its issuer',
  not_authorized: 'no chain of proofs grants what it claims, to whom it claims it, for now',
  revoked: 'somebody on its chain took it back',
  replayed: 'it was good for one use and has been used',
  unavailable: 'a key could not be looked up just now',
  no_room: 'as many revocations of its issuer are kept as there may be',
  rate_limited: 'its sender has had too many keys looked up, or revocations recorded, in a short time',
};
