import { createCipheriv, createDecipheriv } from 'node:crypto';

export const IV_BYTES = 12;
export const TAG_BYTES = 16;

export interface Encrypted {
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

// Without authTagLength Node 20 accepts tags as short as 4 bytes.
const OPTIONS = { authTagLength: TAG_BYTES };

/** AES-256-GCM (NIST SP 800-38D) with a 96-bit IV and a full tag. */
export function encryptGcm(key: Uint8Array, iv: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Encrypted {
  const cipher = createCipheriv('aes-256-gcm', key, iv, OPTIONS);
  cipher.setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return { ciphertext, tag: cipher.getAuthTag() };
}

/** The plaintext, or undefined if the tag does not match these bytes. Never throws for stored values. */
export function decryptGcm(
  key: Uint8Array,
  iv: Uint8Array,
  { ciphertext, tag }: { readonly ciphertext: Uint8Array; readonly tag: Uint8Array },
  aad: Uint8Array,
): Buffer | undefined {
  if (tag.length !== TAG_BYTES || iv.length !== IV_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, iv, OPTIONS);
  decipher.setAAD(aad);
  decipher.setAuthTag(tag);
  const plaintext = decipher.update(ciphertext);
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    return undefined;
  }
}
