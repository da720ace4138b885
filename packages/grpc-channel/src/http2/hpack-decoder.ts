import { ConnectionError, ERROR } from './frames.js';
import { decodeHuffman } from './hpack-huffman.js';
import { type Header, STATIC_HEADERS } from './hpack-static.js';

/** The size of the table while no setting says otherwise, in the bytes of RFC 7541, section 4.1. */
const TABLE_LIMIT = 4096;
const ENTRY_OVERHEAD = 32;
/** As many entries as fit into the table. */
const PLACES = TABLE_LIMIT / ENTRY_OVERHEAD;
/** Headers of one reply take no more than this, in the bytes of RFC 9113, section 10.5.1. */
export const LIST_LIMIT_BYTES = 64 * 1024;
/** A text of more encoded bytes is longer than the limit in either coding, and is not decoded. */
const TEXT_LIMIT_BYTES = LIST_LIMIT_BYTES * 4;
const TOO_LONG = ' '.repeat(LIST_LIMIT_BYTES);

/** Reads header blocks in the order they come; each may change what the next ones mean. Source: RFC 7541. */
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
   * Decodes the block at a place in some bytes; `undefined` where the headers are larger than `LIST_LIMIT_BYTES`. Such a block is
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
      if (bytes > LIST_LIMIT_BYTES) {
        this.#passOver();
        return undefined;
      }
      headers.push(header);
    }
    return headers;
  }

  /** Reads the rest of a block for what it does to the table. */
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

  /** Lets the oldest entries go until there is room. */
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
