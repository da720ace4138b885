import { Refused } from './refusal.js';

const STANDARD = /^[A-Za-z0-9+/]+={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]+={0,2}$/;

/**
 * The bytes of a token: standard base64 with padding, or base64url with or without. One text has one alphabet, nothing
 * else in it and no leftover bits, so that no second text gives the same bytes in the same spelling.
 */
export function bytesOfToken(token: string, limitCharacters: number): Uint8Array {
  if (token.length > limitCharacters) throw new Refused('too_large');
  if (URL_SAFE.test(token)) {
    const bytes = Buffer.from(token, 'base64url');
    const spelling = bytes.toString('base64url');
    if (token === spelling || token === padded(spelling)) return bytes;
  } else if (STANDARD.test(token)) {
    const bytes = Buffer.from(token, 'base64');
    if (token === bytes.toString('base64')) return bytes;
  }
  throw new Refused('malformed');
}

function padded(text: string): string {
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}
