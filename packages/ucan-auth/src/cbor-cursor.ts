import { isUtf8 } from 'node:buffer';
import { Refused } from './refusal.js';

export const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;

const HIGH_WORD = 2 ** 32;

/** Reads the pieces of dag-cbor from a block, each in its only spelling. Throws Refused at anything else. */
export class CborCursor {
  readonly bytes: Buffer;
  #at = 0;

  constructor(block: Uint8Array) {
    this.bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  /** The first byte of the next item: its major type in the upper three bits, and more in the others. */
  initial(): number {
    const byte = this.bytes[this.#at];
    if (byte === undefined) throw new Refused('malformed');
    this.#at += 1;
    return byte;
  }

  /** The number that goes with an initial byte: a value, or a length. Written in the fewest bytes, never indefinite. */
  argument(initial: number): number {
    const info = initial & 0x1f;
    if (info < 24) return info;
    switch (info) {
      case 24:
        return this.#atLeast(24, this.bytes[this.take(1)] ?? 0);
      case 25:
        return this.#atLeast(2 ** 8, this.bytes.readUInt16BE(this.take(2)));
      case 26:
        return this.#atLeast(2 ** 16, this.bytes.readUInt32BE(this.take(4)));
      case 27: {
        const start = this.take(8);
        const high = this.#atLeast(1, this.bytes.readUInt32BE(start));
        return high * HIGH_WORD + this.bytes.readUInt32BE(start + 4);
      }
      default:
        throw new Refused('malformed');
    }
  }

  /** Passes over bytes and says where they start. */
  take(length: number): number {
    const start = this.#at;
    if (length > this.bytes.length - start) throw new Refused('malformed');
    this.#at = start + length;
    return start;
  }

  /**
   * Passes over text of a given length and says where it starts. It is UTF-8 and does not begin with a byte order mark,
   * which readers drop.
   */
  takeText(length: number): number {
    const start = this.take(length);
    const text = this.bytes.subarray(start, start + length);
    if (text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf) throw new Refused('malformed');
    if (!isUtf8(text)) throw new Refused('malformed');
    return start;
  }

  #atLeast(least: number, value: number): number {
    if (value < least) throw new Refused('malformed');
    return value;
  }
}
