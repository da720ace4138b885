import { createHash } from 'node:crypto';

/**
 * @param {string | Uint8Array} bytes
 * @returns {string} in hex
 */
export function sha256Of(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
