import { LRUCache } from 'lru-cache';
import { base58btc } from 'multiformats/bases/base58';

const PREFIX = 'did:key:z';
/** Multicodec ed25519-pub as a varint. */
const ED25519_PUB = [0xed, 0x01] as const;
const PUBLIC_KEY_BYTES = 32;
/** A did:key of an Ed25519 key: 48 base58 characters after the z, which start with `6Mk`. */
const ED25519_DID_KEY = /^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/;

/** did:key by the key's bytes as latin1 text: base58 is slow, and most tokens come from few issuers. */
const dids = new LRUCache<string, string>({
  max: 1000,
  memoMethod: (text) => {
    const bytes = Buffer.concat([Buffer.from(ED25519_PUB), Buffer.from(text, 'latin1')]);
    return `did:key:${base58btc.encode(bytes)}`;
  },
});

/** The did:key of 32 raw Ed25519 public key bytes (W3C CCG did:key method). */
export function didOfKey(publicKey: Uint8Array): string {
  return dids.memo(Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.byteLength).toString('latin1'));
}

/** Whether a DID has the form of a did:key of an Ed25519 key. */
export function isEd25519DidKey(did: string): boolean {
  return ED25519_DID_KEY.test(did);
}

/** The 32 key bytes of an Ed25519 did:key, or undefined for any other text. Never throws. */
export function keyOfDid(did: string): Uint8Array | undefined {
  if (!isEd25519DidKey(did)) return undefined;
  return keyOfMultibase(did.slice(PREFIX.length - 1));
}

/** The 32 key bytes of a multibase (`z…`) Ed25519 multikey, or undefined. Never throws. */
export function keyOfMultibase(text: string): Uint8Array | undefined {
  if (text.length > 64) return undefined;
  try {
    const bytes = base58btc.decode(text);
    const isEd25519 = bytes[0] === ED25519_PUB[0] && bytes[1] === ED25519_PUB[1];
    return isEd25519 && bytes.length === ED25519_PUB.length + PUBLIC_KEY_BYTES
      ? bytes.subarray(ED25519_PUB.length)
      : undefined;
  } catch {
    return undefined;
  }
}
