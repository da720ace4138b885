import { Refused } from './refusal.js';

const MOST_BYTES = 5;

/** Unsigned LEB128 of at most five bytes, none of them idle, and where it ends. Throws Refused at anything else. */
export function readVarint(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < MOST_BYTES; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte >= 0x80) continue;
    if (byte === 0 && index > 0) break;
    return { value, end: start + index + 1 };
  }
  throw new Refused('malformed');
}

/** Unsigned LEB128. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Uint8Array.from([...bytes, rest]);
}
