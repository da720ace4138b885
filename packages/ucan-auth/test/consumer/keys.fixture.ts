import {
  importVerifyingKey,
  PUBLIC_KEY_BYTES,
  SEED_BYTES,
  SIGNATURE_BYTES,
  type SigningKey,
  signingKeyFromSeed,
  type VerifyingKey,
  verifyEd25519,
} from '@mlango/crypto/ed25519';
import { constantTimeEqual } from '@mlango/crypto/equality';
import * as hashing from '@mlango/crypto/hashing';
import {
  KeyError,
  type KeyProblem,
  type Keyring,
  keyringFromSecrets,
  keyringOf,
  type NamedKey,
  parseKeyring,
  parseSecretKey,
} from '@mlango/crypto/keyring';
import { needsReseal, type OpenFailure, type OpenResult, open, type SealContext, seal } from '@mlango/crypto/sealing';

// Keys, signatures and sealed records in a consumer, without a cast.

export function signed(message: Uint8Array): boolean {
  const key: SigningKey = signingKeyFromSeed(new Uint8Array(SEED_BYTES));
  const verifying: VerifyingKey | undefined = importVerifyingKey(key.publicKey);
  const signature = key.sign(message);
  const sizes = signature.length === SIGNATURE_BYTES && key.publicKey.length === PUBLIC_KEY_BYTES;
  return sizes && verifying?.verify(message, signature) === verifyEd25519(key.publicKey, message, signature);
}

export function keyrings(secret: string): readonly Keyring[] | KeyProblem {
  try {
    const named: NamedKey = { id: 'own', bytes: parseSecretKey(secret) };
    return [keyringOf([named]), keyringFromSecrets(secret), parseKeyring(`a:${secret}`)];
  } catch (error) {
    if (error instanceof KeyError) return error.problem;
    throw error;
  }
}

export function reopened(text: string, keyring: Keyring): { text: string } | OpenFailure {
  const context: SealContext = { purpose: 'note', owner: 'me' };
  const record = seal(text, keyring, context);
  const result: OpenResult = open(record, keyring, context);
  if (!result.ok) return result.code;
  return { text: needsReseal(record, keyring) ? record : result.plaintext.toString() };
}

export function digests(data: Uint8Array, key: Uint8Array): readonly (Buffer | string | boolean)[] {
  const { sha256, sha256Hex, hmacSha256, hkdfSha256 } = hashing;
  const derived = hkdfSha256(key, data, 'info', 32);
  return [sha256(data), sha256Hex(data), hmacSha256(key, data), derived, constantTimeEqual(key, data)];
}
