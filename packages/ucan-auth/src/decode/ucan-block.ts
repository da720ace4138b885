import { LRUCache } from 'lru-cache';
import { isLink } from 'multiformats/link';
import { didOfKey, keyOfDid } from '../dids/did-key.js';
import { keyOfCid, type UcanBlock } from './archive.js';
import { readCanonicalCbor } from './canonical-cbor.js';
import { Refused } from './refusal.js';

/** An ability on a resource, with caveats. */
export interface Capability {
  /** An ability such as `store/add`, a family such as `store/*`, or `*` for all. */
  readonly can: string;
  /** The resource: a URI. */
  readonly with: string;
  /** Caveats. */
  readonly nb?: Readonly<Record<string, unknown>>;
}

/** Content of a UCAN. */
export interface UcanContent {
  /** DID. */
  readonly issuer: string;
  /** DID. */
  readonly audience: string;
  readonly capabilities: readonly Capability[];
  /** Unix seconds; Infinity without an expiry. */
  readonly expiresAt: number;
  /** Unix seconds; 0 if it is not restricted. */
  readonly notBefore: number;
  /** Empty if there is none. */
  readonly nonce: string;
  readonly facts: readonly unknown[];
}

/** Limits of one UCAN. */
export interface UcanLimits {
  readonly proofs: number;
  readonly capabilities: number;
  readonly facts: number;
  /** Length of a DID, an ability, a resource or a nonce. */
  readonly textCharacters: number;
  /** Nesting inside caveats and facts. */
  readonly nesting: number;
}

/** One decoded UCAN with an unverified signature. */
export interface UcanClaims extends UcanContent {
  /** 64 bytes (Ed25519). */
  readonly signature: Uint8Array;
  /** Proofs by the key of their CID (`keyOfCid`). */
  readonly proofKeys: readonly string[];
}

const VERSION = '0.9.1';
/** Start of a varsig: EdDSA as a varint and the length 64; the signature follows. */
export const SIGNATURE_START = Buffer.from('eda10340', 'hex');
const SIGNATURE_BYTES = SIGNATURE_START.length + 64;
/** Multicodec ed25519-pub as a varint, before the key. */
const ED25519_PUB = [0xed, 0x01] as const;
const ED25519_BYTES = ED25519_PUB.length + 32;
/** Multicodec of a textual DID as a varint, before the text without `did:`. */
const DID_TEXT = [0x9d, 0x1a] as const;
const DID_SCHEME = 'did:';
const DID_FORM = /^did:[a-z0-9]+:[\x21-\x7e]+$/;
const RESOURCE = /^[a-zA-Z][a-zA-Z0-9+.-]*:.+$/;
const ABILITY = /^(?:\*|[a-z0-9_.:-]+(?:\/[a-z0-9_.:-]+)*\/(?:\*|[a-z0-9_.:-]+))$/;

/** Fields of a canonical block, before their content is checked. */
type Fields = Readonly<
  Partial<Record<'s' | 'v' | 'att' | 'aud' | 'exp' | 'fct' | 'iss' | 'nbf' | 'nnc' | 'prf', unknown>>
>;

/**
 * Reads one UCAN block. The signature covers a JWT made from the block's content, not the block's bytes, so only one encoding of a
 * content is accepted: otherwise the same signed UCAN would have a second CID, which revocations do not name. For the same reason an
 * empty optional field must be absent.
 * @throws {Refused}
 */
export function readUcan({ bytes }: Pick<UcanBlock, 'bytes'>, limits: UcanLimits): UcanClaims {
  const fields: Fields = readCanonicalCbor(bytes, limits.nesting);
  if (typeof fields.v !== 'string') throw new Refused('malformed');
  if (fields.v !== VERSION) throw new Refused('unsupported');
  return {
    signature: readSignature(fields.s),
    nonce: fields.nnc === undefined ? '' : readText(fields.nnc, limits),
    facts: fields.fct === undefined ? [] : readFacts(fields.fct, limits),
    issuer: didOfBytes(fields.iss, limits.textCharacters),
    audience: didOfBytes(fields.aud, limits.textCharacters),
    capabilities: readCapabilities(fields.att, limits),
    expiresAt: fields.exp === null ? Number.POSITIVE_INFINITY : readSeconds(fields.exp),
    notBefore: fields.nbf === undefined ? 0 : readNotBefore(fields.nbf),
    proofKeys: readProofs(fields.prf, limits),
  };
}

function readSignature(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length === 0) throw new Refused('malformed');
  const start = SIGNATURE_START.length;
  if (value.length !== SIGNATURE_BYTES || SIGNATURE_START.compare(value, 0, start) !== 0) {
    throw new Refused('unsupported');
  }
  return value.subarray(start);
}

function readText(value: unknown, limits: UcanLimits): string {
  if (typeof value !== 'string' || value === '') throw new Refused('malformed');
  checkText(value, limits);
  return value;
}

function readFacts(value: unknown, limits: UcanLimits): readonly unknown[] {
  const facts = readList(value, limits.facts);
  const isData = (fact: unknown) => typeof fact === 'object' && fact !== null;
  if (facts.length === 0 || !facts.every(isData)) throw new Refused('malformed');
  return facts;
}

function readSeconds(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Refused('malformed');
  return value;
}

function readNotBefore(value: unknown): number {
  const seconds = readSeconds(value);
  if (seconds <= 0) throw new Refused('malformed');
  return seconds;
}

function readList(value: unknown, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refused('malformed');
  if (value.length > limit) throw new Refused('too_complex');
  return value;
}

function checkText(text: string, limits: UcanLimits): void {
  if (text.length > limits.textCharacters) throw new Refused('too_complex');
}

function readProofs(value: unknown, limits: UcanLimits): readonly string[] {
  const keys = readList(value, limits.proofs).map((link) => {
    if (!isLink(link)) throw new Refused('malformed');
    const key = keyOfCid(link);
    if (key === undefined) throw new Refused('unsupported');
    return key;
  });
  if (new Set(keys).size !== keys.length) throw new Refused('malformed');
  return keys;
}

function readCapabilities(value: unknown, limits: UcanLimits): readonly Capability[] {
  const source = readList(value, limits.capabilities);
  if (source.length === 0) throw new Refused('malformed');
  return source.map((item) => readCapability(item, limits));
}

function readCapability(source: unknown, limits: UcanLimits): Capability {
  if (typeof source !== 'object' || source === null) throw new Refused('malformed');
  const { can, with: resource, nb }: { can?: unknown; with?: unknown; nb?: unknown } = source;
  if (typeof can !== 'string' || typeof resource !== 'string') throw new Refused('malformed');
  checkText(can, limits);
  checkText(resource, limits);
  if (!ABILITY.test(can) || !RESOURCE.test(resource) || !URL.canParse(resource)) throw new Refused('malformed');
  // An attestation replaces a signature by that of a third party. `ucan:*` delegates everything that the issuer holds.
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

/** Encoded DIDs: a process that mints does so for few DIDs. */
const encodedDids = new LRUCache<string, Uint8Array>({
  max: 1000,
  memoMethod: (did) => {
    const key = keyOfDid(did);
    return key === undefined
      ? Buffer.concat([Buffer.from(DID_TEXT), Buffer.from(did.slice(DID_SCHEME.length))])
      : Buffer.concat([Buffer.from(ED25519_PUB), key]);
  },
});

/**
 * The bytes of a DID in a UCAN block: of a did:key the key itself, of any other DID its text after a multicodec. The result is
 * cached and must not be changed.
 */
export function bytesOfDid(did: string): Uint8Array {
  return encodedDids.memo(did);
}

/** Decodes the encoding of `bytesOfDid`, and no other. */
function didOfBytes(value: unknown, limitBytes: number): string {
  if (!(value instanceof Uint8Array)) throw new Refused('malformed');
  if (value.length > limitBytes) throw new Refused('too_complex');
  const [first, second] = value;
  if (first === ED25519_PUB[0] && second === ED25519_PUB[1] && value.length === ED25519_BYTES) {
    return didOfKey(value.subarray(ED25519_PUB.length));
  }
  if (first !== DID_TEXT[0] || second !== DID_TEXT[1]) throw new Refused('unsupported');
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1', DID_TEXT.length);
  const did = `${DID_SCHEME}${text}`;
  // The pattern accepts printable ASCII only, so each byte is one character.
  if (did.startsWith('did:key:') || !DID_FORM.test(did)) throw new Refused('malformed');
  return did;
}
