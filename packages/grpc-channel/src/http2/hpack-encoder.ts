import type { Header } from './hpack-decoder.js';

/**
 * Sets the dynamic table size to 0. It precedes the first block after the peer changed the limit. Source: RFC 7541, section
 * 4.2.
 */
const EMPTY_TABLE = Buffer.of(0x20);

const LITERAL = 0;
const MAX_LENGTH_BYTES = 5;
const LENGTH_MASK = 0x7f;
/** Up to this size a loop is faster than a call into Node.js. */
const SHORT = 32;
const FIRST_BYTES = 1024;

/**
 * A header block of literals without a table, so that it can be reused and cached. Names are in lower case; names and values
 * are Latin-1. All blocks share one buffer.
 */
export class HeaderBlock {
  bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  length = 0;

  /** Starts a block with a prefix common to many. */
  begin(encoded: Uint8Array): void {
    this.length = 0;
    this.#reserve(encoded.length);
    this.bytes.set(encoded);
    this.length = encoded.length;
  }

  add(name: string, value: string): void {
    this.#reserve(name.length + value.length + 1 + 2 * MAX_LENGTH_BYTES);
    this.bytes[this.length++] = LITERAL;
    this.#text(name);
    this.#text(value);
  }

  #text(text: string): void {
    const { bytes } = this;
    const { length } = text;
    let at = this.length;
    if (length < LENGTH_MASK) bytes[at++] = length;
    else {
      bytes[at++] = LENGTH_MASK;
      let rest = length - LENGTH_MASK;
      for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
      bytes[at++] = rest;
    }
    if (length > SHORT) at += bytes.write(text, at, 'latin1');
    else for (let index = 0; index < length; index += 1) bytes[at++] = text.charCodeAt(index);
    this.length = at;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(this.length + count, this.bytes.length * 2));
    this.bytes.copy(wider, 0, 0, this.length);
    this.bytes = wider;
  }
}

/** Headers as a block that can be cached. */
export function encodeHeaders(headers: readonly Header[]): Buffer {
  const block = new HeaderBlock();
  for (const [name, value] of headers) block.add(name, value);
  return block.bytes.subarray(0, block.length);
}

/** A block that empties the table first. */
export function afterEmptyTable(block: HeaderBlock): HeaderBlock {
  const whole = new HeaderBlock();
  whole.begin(Buffer.concat([EMPTY_TABLE, block.bytes.subarray(0, block.length)]));
  return whole;
}
