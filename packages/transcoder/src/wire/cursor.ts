import { type JsonText, viewOf } from './json-text.js';

/** How a value travels. Source: the protobuf wire format. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const;

/** How deep messages and groups may lie in each other; the limit of other protobuf readers. */
const MAX_DEPTH = 100;

/** Bytes that are no message, or one nested too deep to be read. */
class WireError extends Error {
  override readonly name = 'WireError';
}

/**
 * A position in the bytes of a message. Readers advance `pos`; callers check afterwards that a value lay within its message,
 * since a final varint may overrun.
 */
export class WireCursor {
  readonly bytes: Buffer;
  /** The output of a reader. */
  readonly out: JsonText;
  pos = 0;
  /** The halves of the last 64-bit number, as signed integers. */
  low = 0;
  high = 0;
  /** False: fields are collected before they are written, for messages with unordered fields. */
  isOrdered: boolean;
  #depth: number;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array, out: JsonText, isOrdered = true, depth = 0) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.out = out;
    this.isOrdered = isOrdered;
    this.#depth = depth;
  }

  /** A cursor over other bytes at the same depth. */
  over(bytes: Uint8Array): WireCursor {
    return new WireCursor(bytes, this.out, this.isOrdered, this.#depth);
  }

  /** The same bytes, for bulk reads. */
  get view(): DataView {
    this.#view ??= viewOf(this.bytes);
    return this.#view;
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new WireError('the message is nested too deep');
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** The next tag before `end`, or 0 if there is none. */
  tag(end: number): number {
    if (this.pos >= end) return 0;
    const start = this.pos;
    const tag = this.varint32() >>> 0;
    const length = this.pos - start;
    if (length > 5 || (length === 5 && (this.bytes[this.pos - 1] ?? 0) > 0x0f) || tag >>> 3 === 0) {
      throw new WireError('a tag is invalid');
    }
    return tag;
  }

  /** Reads the length of a value before `end`, and returns the position of its end. A length has 32 bits at most. */
  endOfBytes(end: number): number {
    let length = this.bytes[this.pos] ?? 0;
    if (length < 0x80) this.pos += 1;
    else {
      this.varint64();
      length = this.high === 0 ? this.low >>> 0 : Number.POSITIVE_INFINITY;
    }
    const valueEnd = length + this.pos;
    if (valueEnd > end) throw new WireError('a value is cut short');
    return valueEnd;
  }

  /** The low 32 bits of a varint, signed. */
  varint32(): number {
    const byte = this.bytes[this.pos] ?? 0;
    if (byte < 0x80) {
      this.pos += 1;
      return byte;
    }
    this.varint64();
    return this.low;
  }

  /** Reads a varint into `low` and `high`. */
  varint64(): this {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.bytes[this.pos] ?? 0;
      this.pos += 1;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.low = low;
        this.high = high;
        return this;
      }
    }
    throw new WireError('a number is too long');
  }

  /** Reads eight bytes into `low` and `high`. */
  fixed64(): this {
    this.low = this.fixed32();
    this.high = this.fixed32();
    return this;
  }

  fixed32(): number {
    const at = this.pos;
    this.pos += 4;
    if (this.pos > this.bytes.length) throw new WireError('a value is cut short');
    return this.bytes.readInt32LE(at);
  }

  /** Passes over one value. For a group, gives where its content ends; else where the value does. */
  skip(tag: number, end: number): number {
    switch (tag & 7) {
      case WIRE.varint:
        this.varint64();
        break;
      case WIRE.fixed64:
        this.pos += 8;
        break;
      case WIRE.fixed32:
        this.pos += 4;
        break;
      case WIRE.bytes:
        this.pos = this.endOfBytes(end);
        break;
      case WIRE.groupStart:
        return this.#skipGroup(tag, end);
      default:
        throw new WireError('a value has no known form');
    }
    this.stayBefore(end);
    return this.pos;
  }

  /** @throws {WireError} if the read bytes exceed the end of their message */
  stayBefore(end: number): void {
    if (this.pos > end) throw new WireError('a value is cut short');
  }

  #skipGroup(startTag: number, end: number): number {
    this.enter();
    for (;;) {
      const contentEnd = this.pos;
      const tag = this.tag(end);
      this.stayBefore(end);
      if (tag === 0) throw new WireError('a group does not end');
      if ((tag & 7) === WIRE.groupEnd) {
        if (tag >>> 3 !== startTag >>> 3) throw new WireError('a group ends another one');
        this.leave();
        return contentEnd;
      }
      this.skip(tag, end);
    }
  }
}
