import type { Header } from './hpack-static.js';

/**
 * Says that no table of headers is kept. It stands before the first block after the other side changed the limit of the
 * table. Source: RFC 7541, section 4.2.
 */
export const EMPTY_TABLE = Buffer.of(0x20);

/**
 * Headers as literals that enter no table, so that a block means the same whenever it is sent and can be kept.
 * Names are in lower case; names and values are Latin-1.
 */
export function encodeHeaders(headers: readonly Header[]): Buffer {
  let size = 0;
  for (const [name, value] of headers) size += name.length + value.length + 1 + 2 * MAX_LENGTH_BYTES;
  const block = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [name, value] of headers) {
    block[at] = LITERAL;
    at = writeText(block, at + 1, name);
    at = writeText(block, at, value);
  }
  return block.subarray(0, at);
}

const LITERAL = 0;
const MAX_LENGTH_BYTES = 5;
const LENGTH_MASK = 0x7f;
/** Texts up to this are written here sooner than a call into Node.js returns. */
const SHORT = 32;

function writeText(block: Buffer, start: number, text: string): number {
  let at = start;
  if (text.length < LENGTH_MASK) block[at++] = text.length;
  else {
    block[at++] = LENGTH_MASK;
    let rest = text.length - LENGTH_MASK;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) block[at++] = (rest % 0x80) | 0x80;
    block[at++] = rest;
  }
  if (text.length > SHORT) return at + block.write(text, at, 'latin1');
  for (let index = 0; index < text.length; index += 1) block[at++] = text.charCodeAt(index);
  return at;
}
