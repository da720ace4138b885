import { CID } from 'multiformats/cid';
import { CborCursor, MAJOR } from './cbor-cursor.js';
import { checkCidForm } from './cid-form.js';
import { Refused } from './refusal.js';

const CID_TAG_INITIAL = 0xd8;
const CID_TAG = 42;
/** Initial bytes of the simple values there are: false, true, null, and a 64-bit float. */
const SIMPLE = { false: 0xf4, true: 0xf5, null: 0xf6, float64: 0xfb } as const;
/** Keys that a reader, or the JSON the signature covers, would take for something else than a key. */
const CONFUSING_KEYS = new Set(['', '/', '__proto__', 'asCID']);
const CAPABILITY_KEYS = new Set(['nb', 'can', 'with']);
/** Printable ASCII without capitals. */
const LOWER_CASE = /^[ -@[-~]*$/;
const UCAN_KEYS = new Set(['s', 'v', 'att', 'aud', 'exp', 'fct', 'iss', 'nbf', 'nnc', 'prf']);

/** Where in a UCAN a value stands, as far as that matters to its form. */
type Place = 'ucan' | 'field' | 'capabilities' | 'capability' | 'ability' | 'data';

/**
 * Reads a block that is one dag-cbor map in the one way to write it, and whose JSON form, which is what the signature
 * covers, can come from no other bytes: shortest lengths, keys in order, each once; no floats that are integers; no text that
 * readers change; no map that reads as a link; abilities in lower case; no fields but those there are. Linear in the block's length.
 *
 * Source: the strictness rules of IPLD's DAG-CBOR specification, RFC 8949 section 4.2.
 * @throws {Refused}
 */
export function readForm(block: Uint8Array, nestingLimit: number): Readonly<Record<string, unknown>> {
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

/** Keys are text, shorter ones first, those of equal length in the order of their bytes. */
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
  return place === 'capability' ? CAPABILITY_KEYS.has(key) : !CONFUSING_KEYS.has(key);
}

function placeOfValue(place: Place, key: string): Place {
  if (place === 'ucan') return key === 'att' ? 'capabilities' : 'field';
  return place === 'capability' && key === 'can' ? 'ability' : 'data';
}

/** What a field itself says is read at once; what is in data may be kept. */
function readBytes(cursor: CborCursor, length: number, place: Place): Uint8Array {
  return place === 'field' ? cursor.viewBytes(length) : cursor.takeBytes(length);
}

function readText(cursor: CborCursor, length: number, place: Place): string {
  const text = cursor.takeText(length);
  // Readers lower the case of abilities, by the rules of whatever locale they run in.
  if (place === 'ability' && !LOWER_CASE.test(text)) throw new Refused('malformed');
  return text;
}

function readSimple(cursor: CborCursor, initial: number): boolean | null | number {
  if (initial === SIMPLE.null) return null;
  if (initial === SIMPLE.false || initial === SIMPLE.true) return initial === SIMPLE.true;
  if (initial !== SIMPLE.float64) throw new Refused('malformed');
  const value = cursor.bytes.readDoubleBE(cursor.take(8));
  // An integer has another spelling; beyond 2^53 its JSON is also that of an integer.
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
  checkCidForm(cid);
  return CID.decode(cid);
}
