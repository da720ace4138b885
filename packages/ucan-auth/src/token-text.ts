import { Refused } from './refusal.js';

/**
 * The bytes of a token: standard base64 with padding, or base64url with or without. One text has one alphabet, nothing
 * else in it and no leftover bits, so that no second text gives the same bytes in the same spelling.
 */
export function bytesOfToken(token: string, limitCharacters: number): Uint8Array {
  if (token.length > limitCharacters) throw new Refused('too_large');
  // The decoder takes both alphabets and passes over whatever is in neither; writing the bytes again shows it.
  const bytes = Buffer.from(token, 'base64');
  if (token === bytes.toString('base64')) return bytes;
  const spelling = bytes.toString('base64url');
  if (token === spelling || token === padded(spelling)) return bytes;
  throw new Refused('malformed');
}

function padded(text: string): string {
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}
