import { type DescEnum, ScalarType } from '@bufbuild/protobuf';
import { WIRE, type WireCursor } from './cursor.js';
import { printDouble, printFloat } from './json-numbers.js';
import { type JsonText, jsonPart } from './json-text.js';

/** Writes the number at the cursor as JSON. */
export type NumberWriter = (cursor: WireCursor) => void;

interface ScalarForm {
  readonly wireType: number;
  readonly write: NumberWriter;
  /** The text of the value that is not sent. */
  readonly zero: string;
}

const TWO_32 = 2 ** 32;

/** Every scalar that is not text or bytes: 64-bit integers are strings in JSON. */
export const NUMBERS: Partial<Record<ScalarType, ScalarForm>> = {
  [ScalarType.BOOL]: { wireType: WIRE.varint, write: readBool, zero: 'false' },
  [ScalarType.INT32]: {
    wireType: WIRE.varint,
    write: (cursor) => printInteger(cursor.out, cursor.varint32()),
    zero: '0',
  },
  [ScalarType.UINT32]: {
    wireType: WIRE.varint,
    write: (cursor) => printInteger(cursor.out, cursor.varint32() >>> 0),
    zero: '0',
  },
  [ScalarType.SINT32]: {
    wireType: WIRE.varint,
    write: (cursor) => printInteger(cursor.out, unzigzag(cursor.varint32())),
    zero: '0',
  },
  [ScalarType.FIXED32]: {
    wireType: WIRE.fixed32,
    write: (cursor) => printInteger(cursor.out, cursor.fixed32() >>> 0),
    zero: '0',
  },
  [ScalarType.SFIXED32]: {
    wireType: WIRE.fixed32,
    write: (cursor) => printInteger(cursor.out, cursor.fixed32()),
    zero: '0',
  },
  [ScalarType.INT64]: { wireType: WIRE.varint, write: (cursor) => signed(cursor.varint64()), zero: '"0"' },
  [ScalarType.UINT64]: { wireType: WIRE.varint, write: (cursor) => unsigned(cursor.varint64()), zero: '"0"' },
  [ScalarType.SINT64]: { wireType: WIRE.varint, write: (cursor) => zigzagged(cursor.varint64()), zero: '"0"' },
  [ScalarType.FIXED64]: { wireType: WIRE.fixed64, write: (cursor) => unsigned(cursor.fixed64()), zero: '"0"' },
  [ScalarType.SFIXED64]: { wireType: WIRE.fixed64, write: (cursor) => signed(cursor.fixed64()), zero: '"0"' },
  [ScalarType.DOUBLE]: { wireType: WIRE.fixed64, write: readDouble, zero: '0' },
  [ScalarType.FLOAT]: { wireType: WIRE.fixed32, write: readFloat, zero: '0' },
};

/** Enum values by name, and unknown ones by number. */
export function enumWriter(desc: DescEnum): NumberWriter {
  if (desc.typeName === 'google.protobuf.NullValue') {
    return (cursor) => {
      cursor.varint32();
      cursor.out.ascii('null');
    };
  }
  const names = new Map(desc.values.map(({ number }) => [number, jsonPart(JSON.stringify(desc.value[number]?.name))]));
  return (cursor) => {
    const number = cursor.varint32();
    const name = names.get(number);
    if (name === undefined) printInteger(cursor.out, number);
    else cursor.out.put(name);
  };
}

function readBool(cursor: WireCursor): void {
  cursor.varint64();
  cursor.out.ascii(cursor.low === 0 && cursor.high === 0 ? 'false' : 'true');
}

function readDouble(cursor: WireCursor): void {
  cursor.fixed64();
  cursor.out.ascii(printDouble(cursor.bytes.readDoubleLE(cursor.pos - 8)));
}

function readFloat(cursor: WireCursor): void {
  cursor.fixed32();
  cursor.out.ascii(printFloat(cursor.bytes.readFloatLE(cursor.pos - 4)));
}

function printInteger(out: JsonText, number: number): void {
  if (number >= 0 && number < 10) out.byte(ZERO + number);
  else out.ascii(String(number));
}

const ZERO = 0x30;
const QUOTE = 0x22;

function quote(out: JsonText, digits: string): void {
  out.byte(QUOTE);
  out.ascii(digits);
  out.byte(QUOTE);
}

function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

function unsigned({ low, high, out }: WireCursor): void {
  const number = (high >>> 0) * TWO_32 + (low >>> 0);
  quote(out, String(Number.isSafeInteger(number) ? number : toBigInt(low, high)));
}

function signed({ low, high, out }: WireCursor): void {
  const number = high * TWO_32 + (low >>> 0);
  quote(out, String(Number.isSafeInteger(number) ? number : BigInt.asIntN(64, toBigInt(low, high))));
}

function zigzagged({ low, high, out }: WireCursor): void {
  const value = toBigInt(low, high);
  quote(out, String((value >> 1n) ^ -(value & 1n)));
}

function toBigInt(low: number, high: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
