import { type DescMessage, fromBinary, ScalarType, toJson } from '@bufbuild/protobuf';
import type { PlanContext, ValueReader } from './message-plan.js';
import { WIRE, type WireCursor } from './wire-cursor.js';
import { readDuration, readTimestamp } from './wire-seconds.js';
import { base64String, plainText } from './wire-text.js';

type ReaderFactory = (desc: DescMessage, context: PlanContext) => ValueReader;

const READERS: ReadonlyMap<string, ReaderFactory> = new Map<string, ReaderFactory>([
  ['google.protobuf.Timestamp', () => readTimestamp],
  ['google.protobuf.Duration', () => readDuration],
  ['google.protobuf.Any', (_, context) => anyReader(context)],
  ['google.protobuf.FieldMask', plainReader],
  ['google.protobuf.Struct', plainReader],
  ['google.protobuf.Value', plainReader],
  ['google.protobuf.ListValue', plainReader],
  ...['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name): [string, ReaderFactory] => [`google.protobuf.${name}Value`, wrapperReader],
  ),
]);

/** The reader of a message that is not a JSON object of its fields. Source: the proto3 JSON mapping. */
export function wellKnownReader(desc: DescMessage, context: PlanContext): ValueReader | undefined {
  return READERS.get(desc.typeName)?.(desc, context);
}

const TYPE_URL_TAG = (1 << 3) | WIRE.bytes;
const VALUE_TAG = (2 << 3) | WIRE.bytes;

/** `{"@type": …}` with the fields of a known type, or with the bytes of one that is not known here. */
function anyReader({ registry, planOf }: PlanContext): ValueReader {
  return (cursor, end) => {
    const { typeUrl, valueStart, valueEnd } = readAnyParts(cursor, end);
    if (typeUrl === '') return '{}';
    const type = `{"@type":${JSON.stringify(typeUrl)}`;
    const desc = registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf('/') + 1));
    cursor.pos = valueStart;
    if (desc === undefined) return `${type},"value":${base64String(cursor, valueEnd)}}`;
    cursor.enter();
    const inner = planOf(desc).read(cursor, valueEnd);
    cursor.leave();
    if (READERS.has(desc.typeName)) return `${type},"value":${inner}}`;
    return inner === '{}' ? `${type}}` : `${type},${inner.slice(1)}`;
  };
}

function readAnyParts(cursor: WireCursor, end: number): { typeUrl: string; valueStart: number; valueEnd: number } {
  let typeUrl = '';
  let valueStart = end;
  let valueEnd = end;
  for (let tag = cursor.tag(end); tag !== 0; tag = cursor.tag(end)) {
    if (tag !== TYPE_URL_TAG && tag !== VALUE_TAG) {
      cursor.skip(tag, end);
      continue;
    }
    const partEnd = cursor.endOfBytes(end);
    if (tag === TYPE_URL_TAG) typeUrl = plainText(cursor, partEnd, true);
    else [valueStart, valueEnd] = [cursor.pos, partEnd];
    cursor.pos = partEnd;
  }
  return { typeUrl, valueStart, valueEnd };
}

/** JSON values and field masks are rare, have one spelling in every profile, and are left to the library. */
function plainReader(desc: DescMessage): ValueReader {
  return (cursor, end) => JSON.stringify(toJson(desc, fromBinary(desc, cursor.bytes.subarray(cursor.pos, end))));
}

/** A wrapper is its value, or the zero of its type. */
function wrapperReader(desc: DescMessage, context: PlanContext): ValueReader {
  const zero = zeroOf(desc.fields[0]?.scalar);
  return (cursor, end) => {
    const field = context.planOf(desc).fields[0];
    let text = zero;
    for (let tag = cursor.tag(end); tag !== 0; tag = cursor.tag(end)) {
      const start = cursor.pos;
      const valueEnd = cursor.skip(tag, end);
      if (field === undefined || tag !== field.tag) continue;
      cursor.pos = start;
      if ((tag & 7) === WIRE.bytes) cursor.endOfBytes(end);
      text = field.read(cursor, valueEnd);
      cursor.pos = valueEnd;
    }
    return text;
  };
}

function zeroOf(scalar: ScalarType | undefined): string {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return '""';
    case ScalarType.BOOL:
      return 'false';
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return '"0"';
    default:
      return '0';
  }
}
