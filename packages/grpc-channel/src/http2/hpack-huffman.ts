import { ConnectionError, ERROR } from './frames.js';

/**
 * How many bits each byte takes, in runs: from which byte on, and how many. The code is canonical, so that the lengths
 * are all of it. Source: RFC 7541, appendix B.
 */
const LENGTHS = Uint8Array.from(
  `13 23 28 28 28 28 28 28 28 24 30 28 28 30 28 28 28 28 28 28 28 28 30 28 28 28 28 28 28 28 28 28
   6 10 10 12 13 6 8 11 10 10 8 11 8 6 6 6 5 5 5 6 6 6 6 6 6 6 7 8 15 6 12 10
   13 6 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 8 7 8 13 19 13 14 6
   15 5 6 5 6 5 6 6 6 5 7 7 6 6 6 5 6 7 6 5 5 6 7 7 7 7 7 15 11 14 13 28
   20 22 20 20 22 22 22 23 22 23 23 23 23 23 24 23 24 24 22 23 24 23 23 23 23 21 22 23 22 23 23 24
   22 21 20 22 22 23 23 21 23 22 22 24 21 22 23 23 21 21 22 21 23 22 23 23 20 22 22 22 23 22 22 23
   26 26 20 19 22 23 22 25 26 26 26 27 27 26 24 25 19 21 26 27 27 26 27 24 21 21 26 26 28 27 27 27
   20 24 20 21 22 21 21 23 22 22 25 25 24 24 26 23 26 27 26 26 27 27 27 27 27 28 27 27 27 27 27 26
   30`
    .trim()
    .split(/\s+/),
  Number,
);
const MAX_BITS = 30;
const END_OF_STRING = 256;

/** For each length: the first code, and where its symbols begin in `SYMBOLS`. */
const FIRST_CODE = new Uint32Array(MAX_BITS + 1);
const FIRST_SYMBOL = new Uint32Array(MAX_BITS + 2);
const SYMBOLS = sortSymbols();

function sortSymbols(): Uint16Array {
  const symbols: number[] = [];
  let code = 0;
  for (let bits = 1; bits <= MAX_BITS; bits += 1) {
    code *= 2;
    FIRST_CODE[bits] = code;
    FIRST_SYMBOL[bits] = symbols.length;
    for (const [symbol, length] of LENGTHS.entries()) if (length === bits) symbols.push(symbol);
    code += symbols.length - (FIRST_SYMBOL[bits] ?? 0);
    FIRST_SYMBOL[bits + 1] = symbols.length;
  }
  return Uint16Array.from(symbols);
}

/** The shortest code. */
const MIN_BITS = 5;
/** Texts are put together here, but for long ones. */
const ROOM = Buffer.allocUnsafeSlow(256);

/** Decodes what is at a place in some bytes. @throws {ConnectionError} on the end symbol, and on padding that is not the beginning of it */
export function decodeHuffman(bytes: Buffer, start = 0, end = bytes.length): string {
  const most = Math.floor(((end - start) * 8) / MIN_BITS);
  const text = most <= ROOM.length ? ROOM : Buffer.allocUnsafe(most);
  let length = 0;
  let code = 0;
  let bits = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    for (let mask = 0x80; mask !== 0; mask >>= 1) {
      code = code * 2 + ((byte & mask) === 0 ? 0 : 1);
      bits += 1;
      const place = code - (FIRST_CODE[bits] ?? 0);
      const first = FIRST_SYMBOL[bits] ?? 0;
      if (place >= (FIRST_SYMBOL[bits + 1] ?? 0) - first) continue;
      const symbol = SYMBOLS[first + place] ?? END_OF_STRING;
      if (symbol === END_OF_STRING) throw badString();
      text[length++] = symbol;
      code = 0;
      bits = 0;
    }
  }
  // The padding is of ones, and shorter than a byte.
  if (bits > 7 || code !== (1 << bits) - 1) throw badString();
  return text.toString('latin1', 0, length);
}

function badString(): ConnectionError {
  return new ConnectionError(ERROR.compression, 'a header is not Huffman coded as it says');
}
