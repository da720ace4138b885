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

const QUOTE = 0x22;

/** Writes the bytes up to `end` as a JSON string. @throws {TypeError} on bytes that are not UTF-8, when that is asked for */
export function jsonString(cursor: WireCursor, end: number, isStrict: boolean): void {
  const { bytes, pos, out } = cursor;
  out.reserve(end - pos + 2);
  const into = out.bytes;
  let to = out.length;
  into[to++] = QUOTE;
  let kinds = PLAIN;
  for (let at = pos; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    kinds |= KIND[byte] ?? 0;
    into[to++] = byte;
  }
  if (kinds === PLAIN) {
    into[to++] = QUOTE;
    out.length = to;
  } else out.text(JSON.stringify(decode(cursor, end, kinds, isStrict)));
}

/** The bytes up to `end` as text. */
export function plainText(cursor: WireCursor, end: number, isStrict: boolean): string {
  let kinds = PLAIN;
  for (let at = cursor.pos; at < end; at += 1) kinds |= KIND[cursor.bytes[at] ?? 0] ?? 0;
  return decode(cursor, end, kinds, isStrict);
}

/** Writes the bytes up to `end` as a JSON string of standard base64. */
export function base64String({ bytes, pos, out }: WireCursor, end: number): void {
  out.byte(QUOTE);
  out.ascii(bytes.toString('base64', pos, end));
  out.byte(QUOTE);
}

function decode(cursor: WireCursor, end: number, kinds: number, isStrict: boolean): string {
  if (kinds < BEYOND_ASCII) return cursor.bytes.toString('latin1', cursor.pos, end);
  return (isStrict ? strictUtf8 : lenientUtf8).decode(cursor.bytes.subarray(cursor.pos, end));
}
