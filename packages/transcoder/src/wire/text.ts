import type { WireCursor } from './cursor.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const BEYOND_ASCII = 0x80;
/** Numbers of four bytes that are the same. */
const EACH = 0x01010101;
const WORD_BYTES = 4;

/** Writes the bytes up to `end` as a JSON string. @throws {TypeError} as `plainText` does */
export function jsonString(cursor: WireCursor, end: number, isStrict: boolean): void {
  const { bytes, pos, view, out } = cursor;
  out.reserve(end - pos + 2);
  const { bytes: into, view: intoView } = out;
  let to = out.length;
  into[to++] = QUOTE;
  let at = pos;
  // Tests four bytes at a time, in a third of the time. The highest bit of a byte is set if the byte needs escaping: part of a
  // longer character, below a space, a quote or a backslash. Source: Bit Twiddling Hacks, "Determine if a word has a byte less
  // than n".
  let odd = 0;
  for (const last = end - WORD_BYTES; at <= last; at += WORD_BYTES, to += WORD_BYTES) {
    const word = view.getInt32(at, true);
    const quote = word ^ (QUOTE * EACH);
    const backslash = word ^ (BACKSLASH * EACH);
    odd |= word | ((word - SPACE * EACH) & ~word);
    odd |= ((quote - EACH) & ~quote) | ((backslash - EACH) & ~backslash);
    intoView.setInt32(to, word, true);
  }
  let isPlain = (odd & (BEYOND_ASCII * EACH)) === 0;
  for (; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH || byte >= BEYOND_ASCII) isPlain = false;
    into[to++] = byte;
  }
  if (isPlain) {
    into[to++] = QUOTE;
    out.length = to;
  } else out.text(JSON.stringify(plainText(cursor, end, isStrict)));
}

/** Decodes the bytes up to `end`. @throws {TypeError} for invalid UTF-8, if it is rejected */
export function plainText(cursor: WireCursor, end: number, isStrict: boolean): string {
  const { bytes, pos } = cursor;
  for (let at = pos; at < end; at += 1) {
    if ((bytes[at] ?? 0) >= BEYOND_ASCII) return decode(cursor, bytes.subarray(pos, end), isStrict);
  }
  return bytes.toString('latin1', pos, end);
}

function decode({ out }: WireCursor, bytes: Uint8Array, isStrict: boolean): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (error) {
    if (isStrict && !out.replacesInvalid) throw error;
    out.hasReplaced = true;
    return lenientUtf8.decode(bytes);
  }
}

/** Writes the bytes up to `end` as a JSON string of standard base64. */
export function base64String({ bytes, pos, out }: WireCursor, end: number): void {
  out.byte(QUOTE);
  out.ascii(bytes.toString('base64', pos, end));
  out.byte(QUOTE);
}
