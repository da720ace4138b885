import { randomBytes } from 'node:crypto';
import { decryptGcm, encryptGcm, IV_BYTES, TAG_BYTES } from './aes-gcm.js';
import { constantTimeEqual } from './equality.js';
import { hkdfSha256, hmacSha256 } from './hashing.js';
import type { Keyring, NamedKey } from './keyring.js';

/**
 * The purpose and the owner of a sealed record. It is not stored in the record: the caller of `open` states it again, and a
 * record copied to another row, owner or use does not open.
 */
export interface SealContext {
  /** The use, such as `pin` or `delegation`. */
  readonly purpose: string;
  /** Owner of the record, such as a customer id or a DID. */
  readonly owner: string;
  /** Reader of the record, such as a service's DID. Default: unrestricted. */
  readonly audience?: string;
}

/**
 * `malformed`: not a sealed record. `unknown_key`: sealed under a key id that is not in the keyring. `wrong_key`: the id is
 * known, but belongs to another key. `tampered`: right key, but the bytes or the context are not those sealed.
 */
export type OpenFailure = 'malformed' | 'unknown_key' | 'wrong_key' | 'tampered';

export type OpenResult =
  | { readonly ok: true; readonly plaintext: Buffer }
  | { readonly ok: false; readonly code: OpenFailure };

const VERSION = 's1';
const RANDOM_BYTES = 16;
const CHECK_BYTES = 16;
const RECORD =
  /^s1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]{22})$/;

/**
 * Seals bytes (a string counts as UTF-8) under the keyring's active key.
 *
 * The record is one line of text, `s1.<key id>.<salt>.<iv>.<ciphertext>.<tag>`, the last four in base64url: AES-256-GCM
 * under a key derived for this record alone (HKDF-SHA-256 of the keyring's key and the salt). The second half of the
 * salt is an HMAC of its first half under the keyring's key, which commits the record to that key.
 */
export function seal(plaintext: string | Uint8Array, keyring: Keyring, context: SealContext): string {
  const key = keyring.active;
  const random = randomBytes(RANDOM_BYTES);
  const salt = Buffer.concat([random, keyCheck(key, random)]);
  const iv = randomBytes(IV_BYTES);
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
  const { ciphertext, tag } = encryptGcm(recordKey(key, salt), iv, bytes, boundData(key, context));
  return [VERSION, key.id, ...[salt, iv, ciphertext, tag].map((part) => part.toString('base64url'))].join('.');
}

/** Opens a sealed record. Never throws; the failure is one of a closed set of codes, safe to log. */
export function open(sealed: string, keyring: Keyring, context: SealContext): OpenResult {
  const record = parseRecord(sealed);
  if (record === undefined) return { ok: false, code: 'malformed' };
  const key = keyring.find(record.keyId);
  if (key === undefined) return { ok: false, code: 'unknown_key' };
  const check = keyCheck(key, record.salt.subarray(0, RANDOM_BYTES));
  if (!constantTimeEqual(check, record.salt.subarray(RANDOM_BYTES))) return { ok: false, code: 'wrong_key' };
  const plaintext = decryptGcm(recordKey(key, record.salt), record.iv, record, boundData(key, context));
  return plaintext === undefined ? { ok: false, code: 'tampered' } : { ok: true, plaintext };
}

/** Whether a record should be sealed again: it is under a key that is not the active one, or not readable as a record. */
export function needsReseal(sealed: string, keyring: Keyring): boolean {
  return parseRecord(sealed)?.keyId !== keyring.active.id;
}

interface SealedRecord {
  readonly keyId: string;
  readonly salt: Buffer;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

function parseRecord(sealed: string): SealedRecord | undefined {
  const match = RECORD.exec(sealed);
  if (match === null) return undefined;
  const [, keyId = '', ...fields] = match;
  const parts = fields.map((field) => Buffer.from(field, 'base64url'));
  // One record, one spelling: leftover bits in the last character are refused.
  if (parts.some((part, index) => part.toString('base64url') !== fields[index])) return undefined;
  const [salt, iv, ciphertext, tag] = parts;
  if (salt === undefined || iv === undefined || ciphertext === undefined || tag?.length !== TAG_BYTES) return undefined;
  return { keyId, salt, iv, ciphertext, tag };
}

function keyCheck(key: NamedKey, random: Uint8Array): Buffer {
  return hmacSha256(key.bytes, Buffer.concat([Buffer.from('mlango seal check\0'), random])).subarray(0, CHECK_BYTES);
}

function recordKey(key: NamedKey, salt: Uint8Array): Buffer {
  return hkdfSha256(key.bytes, salt, 'mlango seal record key', 32);
}

/** Each part with its length in front, so that no two contexts have equal bytes. */
function boundData(key: NamedKey, { purpose, owner, audience = '' }: SealContext): Buffer {
  const parts = [VERSION, key.id, purpose, owner, audience].map((part) => Buffer.from(part, 'utf8'));
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
}
