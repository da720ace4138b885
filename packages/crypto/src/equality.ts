import { timingSafeEqual } from 'node:crypto';
import { sha256 } from './hashing.js';

/**
 * Whether two values are equal, in a time independent of where they differ.
 * Digests are compared, so the lengths may differ; a string counts as its UTF-8 bytes.
 */
export function constantTimeEqual(left: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}
