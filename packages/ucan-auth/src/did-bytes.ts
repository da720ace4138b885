import { LRUCache } from 'lru-cache';
import { didOfKey, keyOfDid } from './did-key.js';
import { Refused } from './refusal.js';

/** Multicodec of an Ed25519 key, as a varint; the key follows. */
const ED25519_PUB = [0xed, 0x01] as const;
const ED25519_BYTES = ED25519_PUB.length + 32;
/** Multicodec of a DID in text, as a varint; the text follows without `did:`. */
const DID_TEXT = [0x9d, 0x1a] as const;
const DID_SCHEME = 'did:';
const DID_FORM = /^did:[a-z0-9]+:[\x21-\x7e]+$/;

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
 * The bytes of a DID in a UCAN block: of a did:key the key itself, of any other DID its text behind a multicodec. The result is
 * cached and must not be changed.
 */
export function bytesOfDid(did: string): Uint8Array {
  return encodedDids.memo(did);
}

/** Reads what `bytesOfDid` writes, and nothing else. */
export function didOfBytes(value: unknown, limitBytes: number): string {
  if (!(value instanceof Uint8Array)) throw new Refused('malformed');
  if (value.length > limitBytes) throw new Refused('too_complex');
  const [first, second] = value;
  if (first === ED25519_PUB[0] && second === ED25519_PUB[1] && value.length === ED25519_BYTES) {
    return didOfKey(value.subarray(ED25519_PUB.length));
  }
  if (first !== DID_TEXT[0] || second !== DID_TEXT[1]) throw new Refused('unsupported');
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1', DID_TEXT.length);
  const did = `${DID_SCHEME}${text}`;
  // Only printable ASCII passes, so each byte was one character.
  if (did.startsWith('did:key:') || !DID_FORM.test(did)) throw new Refused('malformed');
  return did;
}
