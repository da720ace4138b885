import type { WireCursor } from './wire-cursor.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const PLAIN = 0;
const ESCAPED = 1;
const BEYOND_ASCII = 2;

/** What a byte means for a JSON string: it stands for itself, it needs an escape, or it is part of a longer character. */
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return BEYOND_ASCII;
  return byte < 0x20 || byte === 0x22 || byte === 0x5c ? ESCAPED : PLAIN;
});

/** The bytes up to `end` as a JSON string. @throws {TypeError} on bytes that are not UTF-8, when that is asked for */
export function jsonString(cursor: WireCursor, end: number, isStrict: boolean): string {
  const { bytes, pos } = cursor;
  let kinds = PLAIN;
  for (let at = pos; at < end; at += 1) kinds |= KIND[bytes[at] ?? 0] ?? 0;
  if (kinds === PLAIN) return `"${cursor.characters.slice(pos, end)}"`;
  return JSON.stringify(decode(cursor, end, kinds, isStrict));
}

/** The bytes up to `end` as text. */
export function plainText(cursor: WireCursor, end: number, isStrict: boolean): string {
  return decode(cursor, end, BEYOND_ASCII, isStrict);
}

/** The bytes up to `end` as a JSON string of standard base64. */
export function base64String(cursor: WireCursor, end: number): string {
  return `"${cursor.bytes.toString('base64', cursor.pos, end)}"`;
}

function decode(cursor: WireCursor, end: number, kinds: number, isStrict: boolean): string {
  if (kinds < BEYOND_ASCII) return cursor.characters.slice(cursor.pos, end);
  return (isStrict ? strictUtf8 : lenientUtf8).decode(cursor.bytes.subarray(cursor.pos, end));
}
