import { isUtf8 } from 'node:buffer';
import { Refused } from './refusal.js';

export const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;

const HIGH_WORD = 2 ** 32;

/** Reads the pieces of dag-cbor from a block, each in its only spelling. Throws Refused at anything else. */
export class CborCursor {
  readonly bytes: Buffer;
  #at = 0;

  constructor(block: Uint8Array) {
    this.bytes = Buffer.isBuffer(block) ? block : Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  }

  /** Where the next item begins. */
  get at(): number {
    return this.#at;
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

  /** The whole number that goes with an initial byte, as a bigint where a number would not hold it. */
  integer(initial: number): number | bigint {
    const argument = this.argument(initial);
    const isNegative = initial >> 5 === MAJOR.negative;
    const value = isNegative ? -1 - argument : argument;
    if (Number.isSafeInteger(value)) return value;
    const whole = this.bytes.readBigUInt64BE(this.#at - 8);
    return isNegative ? -1n - whole : whole;
  }

  /** A copy, so that whoever keeps it does not keep the block. */
  takeBytes(length: number): Uint8Array {
    const start = this.take(length);
    const bytes = new Uint8Array(length);
    this.bytes.copy(bytes, 0, start, start + length);
    return bytes;
  }

  /** A part of the block, for whoever is done with it before the block is. */
  viewBytes(length: number): Uint8Array {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + this.take(length), length);
  }

  /** Text is UTF-8 and does not begin with a byte order mark, which readers drop. */
  takeText(length: number): string {
    const start = this.take(length);
    const end = start + length;
    if (isAscii(this.bytes, start, end)) return this.bytes.toString('latin1', start, end);
    const text = this.bytes.subarray(start, end);
    if (text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf) throw new Refused('malformed');
    if (!isUtf8(text)) throw new Refused('malformed');
    return text.toString('utf8');
  }

  #atLeast(least: number, value: number): number {
    if (value < least) throw new Refused('malformed');
    return value;
  }
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > 0x7f) return false;
  return true;
}
