import { WIRE, type WireCursor } from './cursor.js';
import { fractionDigits, printFraction } from './json-numbers.js';

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the range of RFC 3339 years. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;
const TWO_32 = 2 ** 32;
const SECONDS_OF_DAY = 86_400;
const SECONDS_TAG = (1 << 3) | WIRE.varint;
const NANOS_TAG = (2 << 3) | WIRE.varint;

/** Days as they were written before, since the times of replies fall on few of them. */
const dayTexts = new Map<number, string>();
const MAX_DAYS = 1000;

/** A google.protobuf.Timestamp as RFC 3339 in UTC. @throws {RangeError} beyond the years 1 to 9999 */
export function readTimestamp(cursor: WireCursor, end: number): void {
  const nanos = readSecondsAndNanos(cursor, end);
  const seconds = cursor.high * TWO_32 + (cursor.low >>> 0);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0) throw new RangeError('a time is out of range');
  const day = Math.floor(seconds / SECONDS_OF_DAY) | 0;
  const ofDay = (seconds - day * SECONDS_OF_DAY) | 0;
  const { out } = cursor;
  out.ascii(dayText(day));
  out.digits((ofDay / 3600) | 0, 2);
  out.byte(COLON);
  out.digits(((ofDay % 3600) / 60) | 0, 2);
  out.byte(COLON);
  out.digits(ofDay % 60, 2);
  if (nanos > 0) {
    const digits = fractionDigits(nanos);
    out.byte(POINT);
    out.digits(digits === 9 ? nanos : (nanos / (digits === 3 ? 1_000_000 : 1000)) | 0, digits);
  }
  out.ascii('Z"');
}

const [COLON, POINT] = [0x3a, 0x2e];

/** `"2021-01-01T` for a number of days since 1970. */
function dayText(day: number): string {
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  const text = `"${new Date(day * SECONDS_OF_DAY * 1000).toISOString().slice(0, 'yyyy-mm-ddT'.length)}`;
  if (dayTexts.size >= MAX_DAYS) dayTexts.clear();
  dayTexts.set(day, text);
  return text;
}

/** About 10,000 years, the range of protobuf's JSON. */
const MOST_SECONDS = 315_576_000_000n;

/** A google.protobuf.Duration in seconds. @throws {RangeError} beyond the range of JSON, and when its parts have two signs */
export function readDuration(cursor: WireCursor, end: number): void {
  const nanos = readSecondsAndNanos(cursor, end);
  const seconds = secondsOf(cursor);
  if (seconds > MOST_SECONDS || seconds < -MOST_SECONDS) throw new RangeError('a duration is out of range');
  if ((seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0)) throw new RangeError('a duration has two signs');
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  cursor.out.ascii(`"${sign}${String(seconds).replace('-', '')}${printFraction(Math.abs(nanos))}s"`);
}

/** Leaves the seconds in the cursor's halves, and gives the nanoseconds. */
function readSecondsAndNanos(cursor: WireCursor, end: number): number {
  let nanos = 0;
  let low = 0;
  let high = 0;
  for (let tag = cursor.tag(end); tag !== 0; tag = cursor.tag(end)) {
    if (tag === SECONDS_TAG) {
      cursor.varint64();
      ({ low, high } = cursor);
    } else if (tag === NANOS_TAG) nanos = cursor.varint32();
    else cursor.skip(tag, end);
    cursor.stayBefore(end);
  }
  cursor.low = low;
  cursor.high = high;
  if (Math.abs(nanos) > 999_999_999) throw new RangeError('nanoseconds are more than a second');
  return nanos;
}

function secondsOf({ low, high }: WireCursor): bigint {
  return BigInt.asIntN(64, (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
}
