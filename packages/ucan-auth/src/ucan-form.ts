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
const UCAN_KEYS = new Set(['s', 'v', 'att', 'aud', 'exp', 'fct', 'iss', 'nbf', 'nnc', 'prf']);

/** Where in a UCAN a value stands, as far as that matters to its form. */
type Place = 'ucan' | 'capabilities' | 'capability' | 'ability' | 'data';

/**
 * Checks that a block is one dag-cbor map in the one way to write it, and that its JSON form, which is what the signature
 * covers, can come from no other bytes: shortest lengths, keys in order, each once; no floats that are integers; no text that
 * readers change; no map that reads as a link; abilities in lower case; no fields but those there are. Linear in the block's length.
 *
 * Source: the strictness rules of IPLD's DAG-CBOR specification, RFC 8949 section 4.2.
 */
export function checkUcanForm(block: Uint8Array, nestingLimit: number): void {
  const cursor = new CborCursor(block);
  const initial = cursor.initial();
  if (initial >> 5 !== MAJOR.map) throw new Refused('malformed');
  checkMap(cursor, cursor.argument(initial), 'ucan', nestingLimit);
  if (!cursor.isAtEnd) throw new Refused('malformed');
}

function checkItem(cursor: CborCursor, place: Place, nestingLeft: number): void {
  const initial = cursor.initial();
  const major = initial >> 5;
  checkPlace(place, major);
  if (major === MAJOR.simple) {
    checkSimple(cursor, initial);
    return;
  }
  if (major === MAJOR.tag) {
    checkLink(cursor, initial);
    return;
  }
  const argument = cursor.argument(initial);
  if (major === MAJOR.bytes) cursor.take(argument);
  else if (major === MAJOR.text) checkText(cursor, argument, place);
  else if (major === MAJOR.array || major === MAJOR.map) {
    if (nestingLeft === 0) throw new Refused('too_complex');
    if (major === MAJOR.map) checkMap(cursor, argument, place, nestingLeft - 1);
    else checkArray(cursor, argument, place, nestingLeft - 1);
  }
}

function checkPlace(place: Place, major: number): void {
  const ok =
    place === 'data' ||
    (place === 'capabilities' && major === MAJOR.array) ||
    (place === 'capability' && major === MAJOR.map) ||
    (place === 'ability' && major === MAJOR.text);
  if (!ok) throw new Refused('malformed');
}

function checkArray(cursor: CborCursor, length: number, place: Place, nestingLeft: number): void {
  const inner: Place = place === 'capabilities' ? 'capability' : 'data';
  for (let index = 0; index < length; index++) checkItem(cursor, inner, nestingLeft);
}

/** Keys are text, shorter ones first, those of equal length in the order of their bytes. */
function checkMap(cursor: CborCursor, length: number, place: Place, nestingLeft: number): void {
  let previousStart = 0;
  let previousEnd = 0;
  for (let index = 0; index < length; index++) {
    const initial = cursor.initial();
    if (initial >> 5 !== MAJOR.text) throw new Refused('malformed');
    const keyLength = cursor.argument(initial);
    const start = cursor.takeText(keyLength);
    const end = start + keyLength;
    const isLonger = keyLength > previousEnd - previousStart;
    const isLater = isLonger || cursor.bytes.compare(cursor.bytes, previousStart, previousEnd, start, end) > 0;
    if (index > 0 && (keyLength < previousEnd - previousStart || !isLater)) throw new Refused('malformed');
    const key = cursor.bytes.toString('utf8', start, end);
    if (!isKeyOf(place, key)) throw new Refused('malformed');
    checkItem(cursor, placeOfValue(place, key), nestingLeft);
    previousStart = start;
    previousEnd = end;
  }
}

function isKeyOf(place: Place, key: string): boolean {
  if (place === 'ucan') return UCAN_KEYS.has(key);
  return place === 'capability' ? CAPABILITY_KEYS.has(key) : !CONFUSING_KEYS.has(key);
}

function placeOfValue(place: Place, key: string): Place {
  if (place === 'ucan' && key === 'att') return 'capabilities';
  return place === 'capability' && key === 'can' ? 'ability' : 'data';
}

function checkText(cursor: CborCursor, length: number, place: Place): void {
  const start = cursor.takeText(length);
  if (place !== 'ability') return;
  // Readers lower the case of abilities, by the rules of whatever locale they run in.
  for (const byte of cursor.bytes.subarray(start, start + length)) {
    if (byte > 0x7e || (byte >= 0x41 && byte <= 0x5a)) throw new Refused('malformed');
  }
}

function checkSimple(cursor: CborCursor, initial: number): void {
  if (initial === SIMPLE.false || initial === SIMPLE.true || initial === SIMPLE.null) return;
  if (initial !== SIMPLE.float64) throw new Refused('malformed');
  const value = cursor.bytes.readDoubleBE(cursor.take(8));
  // An integer has another spelling; beyond 2^53 its JSON is also that of an integer.
  if (!Number.isFinite(value) || Number.isInteger(value)) throw new Refused('malformed');
}

function checkLink(cursor: CborCursor, initial: number): void {
  if (initial !== CID_TAG_INITIAL || cursor.argument(initial) !== CID_TAG) throw new Refused('malformed');
  const inner = cursor.initial();
  if (inner >> 5 !== MAJOR.bytes) throw new Refused('malformed');
  const length = cursor.argument(inner);
  const start = cursor.take(length);
  if (cursor.bytes[start] !== 0) throw new Refused('malformed');
  checkCidForm(cursor.bytes.subarray(start + 1, start + length));
}
