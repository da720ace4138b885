import { UCAN } from '@ucanto/core';
import { keyOfCid, type UcanBlock } from './car-blocks.js';
import { isEd25519DidKey } from './did-key.js';
import type { TokenLimits } from './limits.js';
import { Refused } from './refusal.js';
import { checkUcanForm } from './ucan-form.js';

/** What a UCAN says it may be used for. */
export interface Capability {
  /** An ability such as `store/add`, a family of them such as `store/*`, or `*`. */
  readonly can: string;
  /** The resource: a URI. */
  readonly with: string;
  /** Caveats. */
  readonly nb?: Readonly<Record<string, unknown>>;
}

/** One UCAN of a token, read but not yet believed: nobody has checked its signature. */
export interface UcanClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly capabilities: readonly Capability[];
  /** Unix seconds; Infinity when it has no expiry. */
  readonly expiresAt: number;
  /** Unix seconds; 0 when it has no beginning. */
  readonly notBefore: number;
  readonly proofKeys: readonly string[];
  readonly view: UCAN.View;
}

const VERSION = '0.9.1';
const DAG_CBOR = 0x71;
/** A varsig: EdDSA as a varint, the length 64, then the signature. */
const SIGNATURE_START = Buffer.from('eda10340', 'hex');
const SIGNATURE_BYTES = SIGNATURE_START.length + 64;
/** v, s, iss, aud, att, exp, prf. */
const REQUIRED_FIELDS = 7;
/** Multicodec of a DID in text, as a varint; the text follows without `did:`. */
const DID_TEXT = [0x9d, 0x1a] as const;
const DID_SCHEME_BYTES = 'did:'.length;
const DID_FORM = /^did:[a-z0-9]+:[\x21-\x7e]+$/;
const RESOURCE = /^[a-zA-Z][a-zA-Z0-9+.-]*:.+$/;
const ABILITY = /^(?:\*|[a-z0-9_.:-]+(?:\/[a-z0-9_.:-]+)*\/(?:\*|[a-z0-9_.:-]+))$/;

/**
 * Reads one block. The signature covers a JWT made from the block's content, not the block's bytes, so a block is only
 * accepted in the one encoding that content has: otherwise the same signed UCAN would have a second CID, unknown to
 * revocations.
 */
export function readUcan(block: UcanBlock, limits: TokenLimits): UcanClaims {
  const fields = checkUcanForm(block.bytes, limits.nesting);
  const view = UCAN.decode(block.bytes);
  // What is not CBOR is tried as a JWT string by the codec.
  if (view.code !== DAG_CBOR || view.jwt !== undefined) throw new Refused('malformed');
  if (view.version !== VERSION) throw new Refused('unsupported');
  checkSignatureForm(view.signature);
  if (fields !== countFields(view)) throw new Refused('malformed');
  checkText(view.nonce, limits);
  if (view.facts.length > limits.facts) throw new Refused('too_complex');
  return {
    issuer: readDid(view.issuer, limits),
    audience: readDid(view.audience, limits),
    capabilities: readCapabilities(view.capabilities, limits),
    expiresAt: view.expiration,
    notBefore: view.notBefore ?? 0,
    proofKeys: readProofs(view.proofs, limits),
    view,
  };
}

function checkSignatureForm(signature: Uint8Array): void {
  const start = SIGNATURE_START.length;
  if (signature.length !== SIGNATURE_BYTES || SIGNATURE_START.compare(signature, 0, start) !== 0) {
    throw new Refused('unsupported');
  }
}

/** The fields that count: those always there, and the others when they say something. An empty one is signed as none. */
function countFields({ facts, nonce, notBefore }: UCAN.View): number {
  const optional = [facts.length > 0, nonce !== undefined && nonce !== '', notBefore !== undefined && notBefore > 0];
  return REQUIRED_FIELDS + optional.filter(Boolean).length;
}

function checkText(text: string | undefined, limits: TokenLimits): void {
  if (text !== undefined && text.length > limits.textCharacters) throw new Refused('too_complex');
}

/** A DID in its only binary form: did:key as the key's own bytes, any other as text behind a multicodec. */
function readDid(principal: Uint8Array & { did(): string }, limits: TokenLimits): string {
  if (principal.length > limits.textCharacters) throw new Refused('too_complex');
  const did = principal.did();
  const [first, second] = principal;
  if (first !== DID_TEXT[0] || second !== DID_TEXT[1]) {
    if (!isEd25519DidKey(did)) throw new Refused('unsupported');
    return did;
  }
  const text = Buffer.from(did, 'utf8');
  const same = text.compare(principal, DID_TEXT.length, undefined, DID_SCHEME_BYTES) === 0;
  if (!same || did.startsWith('did:key:') || !DID_FORM.test(did)) throw new Refused('malformed');
  return did;
}

function readProofs(links: readonly { readonly bytes: Uint8Array }[], limits: TokenLimits): readonly string[] {
  if (links.length > limits.proofs) throw new Refused('too_complex');
  const keys = links.map((link) => {
    const key = keyOfCid(link);
    if (key === undefined) throw new Refused('unsupported');
    return key;
  });
  if (new Set(keys).size !== keys.length) throw new Refused('malformed');
  return keys;
}

function readCapabilities(source: readonly object[], limits: TokenLimits): readonly Capability[] {
  if (source.length === 0) throw new Refused('malformed');
  if (source.length > limits.capabilities) throw new Refused('too_complex');
  return source.map((item) => readCapability(item, limits));
}

function readCapability(source: object, limits: TokenLimits): Capability {
  const { can, with: resource, nb }: { can?: unknown; with?: unknown; nb?: unknown } = source;
  if (typeof can !== 'string' || typeof resource !== 'string') throw new Refused('malformed');
  checkText(can, limits);
  checkText(resource, limits);
  if (!ABILITY.test(can) || !RESOURCE.test(resource)) throw new Refused('malformed');
  // An attestation lets a third party vouch for a signature; `ucan:*` hands on whatever the issuer holds, unseen.
  if (can === 'ucan/attest' || can === 'ucan/*' || resource.toLowerCase().startsWith('ucan:')) {
    throw new Refused('unsupported');
  }
  if (nb === undefined) return { can, with: resource };
  if (!isCaveats(nb)) throw new Refused('malformed');
  return { can, with: resource, nb };
}

function isCaveats(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
