import { isUtf8 } from 'node:buffer';
import { CID } from 'multiformats/cid';
import { checkCid } from './archive.js';
import { Refused } from './refusal.js';

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;
const HIGH_WORD = 2 ** 32;
const CID_TAG_INITIAL = 0xd8;
const CID_TAG = 42;
/** Initial bytes of the accepted simple values. */
const SIMPLE = { false: 0xf4, true: 0xf5, null: 0xf6, float64: 0xfb } as const;
/** Keys with a special meaning in JavaScript objects, in DAG-JSON (the signed encoding) or in CID libraries. */
const RESERVED_KEYS = new Set(['', '/', '__proto__', 'asCID']);
const CAPABILITY_KEYS = new Set(['nb', 'can', 'with']);
/** Printable ASCII without upper case. */
const LOWER_CASE = /^[ -@[-~]*$/;
const UCAN_KEYS = new Set(['s', 'v', 'att', 'aud', 'exp', 'fct', 'iss', 'nbf', 'nnc', 'prf']);

/** Position of a value in a UCAN, as far as the accepted encoding depends on it. */
type Place = 'ucan' | 'field' | 'capabilities' | 'capability' | 'ability' | 'data';

/**
 * Reads a block that is one dag-cbor map in canonical encoding: shortest lengths, sorted unique keys, no floats with integer values, no
 * byte order marks, no maps that look like links, lower-case abilities, no unknown fields. So the DAG-JSON that the signature covers
 * has exactly one encoding as a block. Linear in the block's length.
 *
 * Source: strictness rules of IPLD's DAG-CBOR specification, RFC 8949 section 4.2.
 * @throws {Refused}
 */
export function readCanonicalCbor(block: Uint8Array, nestingLimit: number): Readonly<Record<string, unknown>> {
  const cursor = new CborCursor(block);
  const initial = cursor.initial();
  if (initial >> 5 !== MAJOR.map) throw new Refused('malformed');
  const fields = readMap(cursor, cursor.argument(initial), 'ucan', nestingLimit);
  if (!cursor.isAtEnd) throw new Refused('malformed');
  return fields;
}

function readItem(cursor: CborCursor, place: Place, nestingLeft: number): unknown {
  const initial = cursor.initial();
  const major = initial >> 5;
  checkPlace(place, major);
  switch (major) {
    case MAJOR.unsigned:
    case MAJOR.negative:
      return cursor.integer(initial);
    case MAJOR.bytes:
      return readBytes(cursor, cursor.argument(initial), place);
    case MAJOR.text:
      return readText(cursor, cursor.argument(initial), place);
    case MAJOR.tag:
      return readLink(cursor, initial);
    case MAJOR.simple:
      return readSimple(cursor, initial);
    default:
  }
  const argument = cursor.argument(initial);
  if (nestingLeft === 0) throw new Refused('too_complex');
  return major === MAJOR.map
    ? readMap(cursor, argument, place, nestingLeft - 1)
    : readArray(cursor, argument, place, nestingLeft - 1);
}

function checkPlace(place: Place, major: number): void {
  const ok =
    place === 'data' ||
    place === 'field' ||
    (place === 'capabilities' && major === MAJOR.array) ||
    (place === 'capability' && major === MAJOR.map) ||
    (place === 'ability' && major === MAJOR.text);
  if (!ok) throw new Refused('malformed');
}

function readArray(cursor: CborCursor, length: number, place: Place, nestingLeft: number): readonly unknown[] {
  const inner: Place = place === 'capabilities' ? 'capability' : 'data';
  const items: unknown[] = [];
  for (let index = 0; index < length; index++) items.push(readItem(cursor, inner, nestingLeft));
  return items;
}

/** Keys are text, sorted by length, then by bytes. */
function readMap(cursor: CborCursor, length: number, place: Place, nestingLeft: number) {
  const map: Record<string, unknown> = {};
  let previousStart = 0;
  let previousLength = -1;
  for (let index = 0; index < length; index++) {
    const initial = cursor.initial();
    if (initial >> 5 !== MAJOR.text) throw new Refused('malformed');
    const keyLength = cursor.argument(initial);
    const start = cursor.at;
    const key = cursor.takeText(keyLength);
    if (keyLength < previousLength) throw new Refused('malformed');
    if (keyLength === previousLength && !isLater(cursor.bytes, start, previousStart, keyLength)) {
      throw new Refused('malformed');
    }
    if (!isKeyOf(place, key)) throw new Refused('malformed');
    map[key] = readItem(cursor, placeOfValue(place, key), nestingLeft);
    previousStart = start;
    previousLength = keyLength;
  }
  return map;
}

function isLater(bytes: Buffer, start: number, previousStart: number, length: number): boolean {
  return bytes.compare(bytes, previousStart, previousStart + length, start, start + length) > 0;
}

function isKeyOf(place: Place, key: string): boolean {
  if (place === 'ucan') return UCAN_KEYS.has(key);
  return place === 'capability' ? CAPABILITY_KEYS.has(key) : !RESERVED_KEYS.has(key);
}

function placeOfValue(place: Place, key: string): Place {
  if (place === 'ucan') return key === 'att' ? 'capabilities' : 'field';
  return place === 'capability' && key === 'can' ? 'ability' : 'data';
}

/** Bytes of a field are parsed immediately, so a view is enough. Bytes in caveats and facts may outlive the block and are copied. */
function readBytes(cursor: CborCursor, length: number, place: Place): Uint8Array {
  return place === 'field' ? cursor.viewBytes(length) : cursor.takeBytes(length);
}

function readText(cursor: CborCursor, length: number, place: Place): string {
  const text = cursor.takeText(length);
  // ucanto lower-cases abilities, by the rules of the current locale.
  if (place === 'ability' && !LOWER_CASE.test(text)) throw new Refused('malformed');
  return text;
}

function readSimple(cursor: CborCursor, initial: number): boolean | null | number {
  if (initial === SIMPLE.null) return null;
  if (initial === SIMPLE.false || initial === SIMPLE.true) return initial === SIMPLE.true;
  if (initial !== SIMPLE.float64) throw new Refused('malformed');
  const value = cursor.bytes.readDoubleBE(cursor.take(8));
  // Integers have their own encoding, and a float beyond 2^53 has the JSON of an integer.
  if (!Number.isFinite(value) || Number.isInteger(value)) throw new Refused('malformed');
  return value;
}

function readLink(cursor: CborCursor, initial: number): CID {
  if (initial !== CID_TAG_INITIAL || cursor.argument(initial) !== CID_TAG) throw new Refused('malformed');
  const inner = cursor.initial();
  if (inner >> 5 !== MAJOR.bytes) throw new Refused('malformed');
  const bytes = cursor.takeBytes(cursor.argument(inner));
  if (bytes[0] !== 0) throw new Refused('malformed');
  const cid = bytes.subarray(1);
  checkCid(cid);
  return CID.decode(cid);
}

/** Reads dag-cbor items from a block in their canonical encoding. Throws Refused at any other encoding. */
class CborCursor {
  readonly bytes: Buffer;
  #at = 0;

  constructor(block: Uint8Array) {
    this.bytes = Buffer.isBuffer(block) ? block : Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  }

  /** Offset of the next item. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  /** The initial byte of the next item: major type in the upper three bits, additional information in the others. */
  initial(): number {
    const byte = this.bytes[this.#at];
    if (byte === undefined) throw new Refused('malformed');
    this.#at += 1;
    return byte;
  }

  /** The argument of an initial byte: a value or a length, in the fewest bytes, never indefinite. */
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

  /** Advances by `length` bytes and returns the offset of the first. */
  take(length: number): number {
    const start = this.#at;
    if (length > this.bytes.length - start) throw new Refused('malformed');
    this.#at = start + length;
    return start;
  }

  /** The integer of an initial byte; a bigint if it is not a safe integer. */
  integer(initial: number): number | bigint {
    const argument = this.argument(initial);
    const isNegative = initial >> 5 === MAJOR.negative;
    const value = isNegative ? -1 - argument : argument;
    if (Number.isSafeInteger(value)) return value;
    const whole = this.bytes.readBigUInt64BE(this.#at - 8);
    return isNegative ? -1n - whole : whole;
  }

  /** A copy of bytes, which does not retain the block. */
  takeBytes(length: number): Uint8Array {
    const start = this.take(length);
    const bytes = new Uint8Array(length);
    this.bytes.copy(bytes, 0, start, start + length);
    return bytes;
  }

  /** A view of bytes, which retains the block. */
  viewBytes(length: number): Uint8Array {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + this.take(length), length);
  }

  /** UTF-8 text. A byte order mark at its start is refused, because decoders drop it. */
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
