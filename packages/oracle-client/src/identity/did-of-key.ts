import { base58btc } from 'multiformats/bases/base58';

/** The bytes before those of an Ed25519 public key in a did:key. */
const ed25519Prefix = [0xed, 0x01];

/** The did:key of an Ed25519 public key. */
export function didOfKey(publicKey: Uint8Array): `did:key:${string}` {
  return `did:key:${base58btc.encode(Uint8Array.from([...ed25519Prefix, ...publicKey]))}`;
}
