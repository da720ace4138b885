import { createDecipheriv, createHash } from 'node:crypto';
import { z } from 'zod';
import { ReadError } from './read-problem.js';

/** A file that was encrypted before it was uploaded, as an event tells of it. Source: the Matrix specification, EncryptedFile. */
export const encryptedFile = z.object({
  url: z.string().max(2_048),
  v: z.literal('v2'),
  key: z.object({ kty: z.literal('oct'), alg: z.literal('A256CTR'), k: z.string().max(64) }),
  iv: z.string().max(64),
  hashes: z.object({ sha256: z.string().max(64) }),
});
export type EncryptedFile = z.output<typeof encryptedFile>;

const keyBytes = 32;
const ivBytes = 16;
const hashBytes = 32;

/**
 * What was encrypted. The cipher alone would not tell that it was changed: its hash does, and is asked first.
 * @throws ReadError
 */
export function decryptFile(bytes: Buffer, { key, iv, hashes }: EncryptedFile): Buffer {
  const secret = Buffer.from(key.k, 'base64');
  const counter = Buffer.from(iv, 'base64');
  const hash = Buffer.from(hashes.sha256, 'base64');
  const isWhole = secret.length === keyBytes && counter.length === ivBytes && hash.length === hashBytes;
  const found = createHash('sha256').update(bytes).digest();
  if (!isWhole || !found.equals(hash)) throw new ReadError('damaged');
  const decipher = createDecipheriv('aes-256-ctr', secret, counter);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}
