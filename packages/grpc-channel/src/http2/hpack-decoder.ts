import { ConnectionError, ERROR } from './frames.js';

/** The default table size, in the bytes of RFC 7541, section 4.1. */
const TABLE_LIMIT = 4096;
const ENTRY_OVERHEAD = 32;
/** Maximum entries of the table. */
const PLACES = TABLE_LIMIT / ENTRY_OVERHEAD;
/** Headers of one reply take no more than this, in the bytes of RFC 9113, section 10.5.1. */
export const HEADER_LIST_LIMIT_BYTES = 64 * 1024;
/** A text of more encoded bytes is longer than the limit in either coding, and is not decoded. */
const TEXT_LIMIT_BYTES = HEADER_LIST_LIMIT_BYTES * 4;
const TOO_LONG = ' '.repeat(HEADER_LIST_LIMIT_BYTES);

/** Decodes header blocks in order; each may change the table for the next. Source: RFC 7541. */
export class HeaderDecoder {
  /** A ring: entries have places by their number. */
  readonly #table: (Header | undefined)[] = new Array<undefined>(PLACES).fill(undefined);
  /** The numbers of the oldest entry and of the next one. */
  #oldest = 0;
  #next = 0;
  #tableBytes = 0;
  #tableLimit = TABLE_LIMIT;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  /**
   * Decodes the block at a place in some bytes; `undefined` if the headers are larger than `LIST_LIMIT_BYTES`. Such a block is
   * read to its end, since the blocks after it depend on the table.
   *
   * @throws {ConnectionError} on a block that cannot be read
   */
  decode(block: Buffer, start = 0, end = block.length): Header[] | undefined {
    this.#block = block;
    this.#at = start;
    this.#end = end;
    const headers: Header[] = [];
    let bytes = 0;
    while (this.#at < end) {
      const header = this.#field(block[this.#at] ?? 0);
      if (header === undefined) continue;
      bytes += sizeOf(header);
      if (bytes > HEADER_LIST_LIMIT_BYTES) {
        this.#passOver();
        return undefined;
      }
      headers.push(header);
    }
    return headers;
  }

  /** Reads the remaining block for its effect on the table. */
  #passOver(): void {
    while (this.#at < this.#end) {
      const first = this.#block[this.#at] ?? 0;
      if ((first & 0xe0) === 0) this.#skipLiteral();
      else this.#field(first);
    }
  }

  #skipLiteral(): void {
    if (this.#integer(0x0f) === 0) this.#skipText();
    this.#skipText();
  }

  #skipText(): void {
    const length = this.#integer(0x7f);
    this.#at += length;
    if (this.#at > this.#end) throw unreadable();
  }

  /** One header, or a change of the table's size. */
  #field(first: number): Header | undefined {
    if ((first & 0x80) !== 0) return this.#entry(this.#integer(0x7f));
    if ((first & 0x40) !== 0) {
      const header = this.#literal(0x3f);
      this.#add(header);
      return header;
    }
    if ((first & 0x20) === 0) return this.#literal(0x0f);
    this.#tableLimit = this.#integer(0x1f);
    if (this.#tableLimit > TABLE_LIMIT) throw unreadable();
    this.#evict(0);
    return undefined;
  }

  #literal(mask: number): Header {
    const index = this.#integer(mask);
    const name = index === 0 ? this.#text() : this.#entry(index)[0];
    return [name, this.#text()];
  }

  #entry(index: number): Header {
    const dynamic = index - STATIC_HEADERS.length;
    if (dynamic > this.#next - this.#oldest) throw unreadable();
    const entry = dynamic <= 0 ? STATIC_HEADERS[index - 1] : this.#table[(this.#next - dynamic) % PLACES];
    if (entry === undefined) throw unreadable();
    return entry;
  }

  #add(header: Header): void {
    const size = sizeOf(header);
    this.#evict(size);
    if (size > this.#tableLimit) return;
    this.#table[this.#next % PLACES] = header;
    this.#next += 1;
    this.#tableBytes += size;
  }

  /** Evicts the oldest entries until there is space. */
  #evict(room: number): void {
    while (this.#oldest < this.#next && this.#tableBytes + room > this.#tableLimit) {
      const oldest = this.#table[this.#oldest % PLACES];
      this.#table[this.#oldest % PLACES] = undefined;
      this.#oldest += 1;
      if (oldest !== undefined) this.#tableBytes -= sizeOf(oldest);
    }
  }

  #integer(mask: number): number {
    let value = (this.#block[this.#at] ?? 0) & mask;
    this.#at += 1;
    if (value < mask) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#block[this.#at] ?? 0;
      if (this.#at >= this.#end) throw unreadable();
      this.#at += 1;
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw unreadable();
  }

  #text(): string {
    const isHuffman = ((this.#block[this.#at] ?? 0) & 0x80) !== 0;
    const length = this.#integer(0x7f);
    const end = this.#at + length;
    if (end > this.#end) throw unreadable();
    const start = this.#at;
    this.#at = end;
    if (length > TEXT_LIMIT_BYTES) return TOO_LONG;
    return isHuffman ? decodeHuffman(this.#block, start, end) : this.#block.toString('latin1', start, end);
  }
}

function sizeOf(header: Header): number {
  return header[0].length + header[1].length + ENTRY_OVERHEAD;
}

function unreadable(): ConnectionError {
  return new ConnectionError(ERROR.compression, 'a header block cannot be read');
}

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
/** Buffer for short texts. */
const ROOM = Buffer.allocUnsafeSlow(256);

/** Decodes a range of bytes. @throws {ConnectionError} for the end symbol, and for padding that is not its prefix */
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
  return new ConnectionError(ERROR.compression, 'invalid Huffman code in a header');
}

export type Header = readonly [name: string, value: string];

/** The static table of both sides, from index 1. Source: RFC 7541, appendix A. */
const STATIC_HEADERS: readonly Header[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ...[
    'accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control',
    'content-disposition content-encoding content-language content-length content-location content-range content-type',
    'cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since',
    'last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after',
    'server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate',
  ]
    .join(' ')
    .split(' ')
    .map((name): Header => [name, '']),
];
