import { DID, delegate, Signature } from '@ucanto/core';
import type { SigAlg, Signer } from '@ucanto/interface';
import { base58btc } from 'multiformats/bases/base58';
import { newId } from '../requests/new-id.js';
import type { SigningKey } from './signing-key.js';

export interface TokenContent {
  /** DID of whoever the token is for. */
  readonly audience: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** The bytes before those of an Ed25519 public key in a did:key. */
const ed25519Prefix = [0xed, 0x01];

/** The did:key of an Ed25519 public key. */
export function didOfKey(publicKey: Uint8Array): `did:key:${string}` {
  return `did:key:${base58btc.encode(Uint8Array.from([...ed25519Prefix, ...publicKey]))}`;
}

/** A UCAN that lets its audience, or whoever holds it, use an oracle as the key's owner: base64 of its CAR. */
export async function writeToken(key: SigningKey, { audience, expiresAt }: TokenContent): Promise<string> {
  const ucan = await delegate({
    issuer: signerOf(key),
    audience: DID.parse(audience),
    capabilities: [{ can: '*', with: 'ixo:oracle' }],
    expiration: expiresAt,
    nonce: newId(),
  });
  const archive = await ucan.archive();
  if (archive.error !== undefined) throw archive.error;
  return base64Of(archive.ok);
}

function signerOf(key: SigningKey): Signer {
  const did = didOfKey(key.publicKey);
  const signer: Pick<Signer, 'did' | 'toDIDKey' | 'signatureCode' | 'signatureAlgorithm' | 'sign'> = {
    did: () => did,
    toDIDKey: () => did,
    signatureCode: Signature.EdDSA as SigAlg,
    signatureAlgorithm: 'EdDSA',
    sign: async (payload) => Signature.create(Signature.EdDSA, await key.sign(payload)) as never,
  };
  return signer as Signer;
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
