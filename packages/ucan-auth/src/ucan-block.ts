import { isLink } from 'multiformats/link';
import { keyOfCid, type UcanBlock } from './car-blocks.js';
import { didOfBytes } from './did-bytes.js';
import type { TokenLimits } from './limits.js';
import { Refused } from './refusal.js';
import type { Capability, UcanContent } from './ucan-content.js';
import { readForm } from './ucan-form.js';

export type { Capability } from './ucan-content.js';

/** One UCAN of a token, read but not yet believed: nobody has checked its signature. */
export interface UcanClaims extends UcanContent {
  /** The 64 bytes of Ed25519. */
  readonly signature: Uint8Array;
  readonly proofKeys: readonly string[];
}

const VERSION = '0.9.1';
/** A varsig: EdDSA as a varint, the length 64, then the signature. */
export const SIGNATURE_START = Buffer.from('eda10340', 'hex');
const SIGNATURE_BYTES = SIGNATURE_START.length + 64;
const RESOURCE = /^[a-zA-Z][a-zA-Z0-9+.-]*:.+$/;
const ABILITY = /^(?:\*|[a-z0-9_.:-]+(?:\/[a-z0-9_.:-]+)*\/(?:\*|[a-z0-9_.:-]+))$/;

/** A block's fields, of which the form is checked and nothing else. Each is there or undefined: CBOR has no such value. */
interface Fields {
  readonly s?: unknown;
  readonly v?: unknown;
  readonly att?: unknown;
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly fct?: unknown;
  readonly iss?: unknown;
  readonly nbf?: unknown;
  readonly nnc?: unknown;
  readonly prf?: unknown;
}

/**
 * Reads one block. The signature covers a JWT made from the block's content, not the block's bytes, so a block is only
 * accepted in the one encoding that content has: otherwise the same signed UCAN would have a second CID, unknown to
 * revocations. An optional field that says nothing is signed as if it were not there, so it must not be there.
 */
export function readUcan({ bytes }: Pick<UcanBlock, 'bytes'>, limits: TokenLimits): UcanClaims {
  const fields: Fields = readForm(bytes, limits.nesting);
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
    notBefore: fields.nbf === undefined ? 0 : readBeginning(fields.nbf),
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

function readText(value: unknown, limits: TokenLimits): string {
  if (typeof value !== 'string' || value === '') throw new Refused('malformed');
  checkText(value, limits);
  return value;
}

function readFacts(value: unknown, limits: TokenLimits): readonly unknown[] {
  const facts = readList(value, limits.facts);
  const isData = (fact: unknown) => typeof fact === 'object' && fact !== null;
  if (facts.length === 0 || !facts.every(isData)) throw new Refused('malformed');
  return facts;
}

function readSeconds(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Refused('malformed');
  return value;
}

function readBeginning(value: unknown): number {
  const seconds = readSeconds(value);
  if (seconds <= 0) throw new Refused('malformed');
  return seconds;
}

function readList(value: unknown, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refused('malformed');
  if (value.length > limit) throw new Refused('too_complex');
  return value;
}

function checkText(text: string, limits: TokenLimits): void {
  if (text.length > limits.textCharacters) throw new Refused('too_complex');
}

function readProofs(value: unknown, limits: TokenLimits): readonly string[] {
  const keys = readList(value, limits.proofs).map((link) => {
    if (!isLink(link)) throw new Refused('malformed');
    const key = keyOfCid(link);
    if (key === undefined) throw new Refused('unsupported');
    return key;
  });
  if (new Set(keys).size !== keys.length) throw new Refused('malformed');
  return keys;
}

function readCapabilities(value: unknown, limits: TokenLimits): readonly Capability[] {
  const source = readList(value, limits.capabilities);
  if (source.length === 0) throw new Refused('malformed');
  return source.map((item) => readCapability(item, limits));
}

function readCapability(source: unknown, limits: TokenLimits): Capability {
  if (typeof source !== 'object' || source === null) throw new Refused('malformed');
  const { can, with: resource, nb }: { can?: unknown; with?: unknown; nb?: unknown } = source;
  if (typeof can !== 'string' || typeof resource !== 'string') throw new Refused('malformed');
  checkText(can, limits);
  checkText(resource, limits);
  if (!ABILITY.test(can) || !RESOURCE.test(resource) || !URL.canParse(resource)) throw new Refused('malformed');
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
