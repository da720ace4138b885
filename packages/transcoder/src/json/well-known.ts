import { type DescMessage, fromBinary, ScalarType, toJson } from '@bufbuild/protobuf';
import { WIRE, type WireCursor } from '../wire/cursor.js';
import { jsonPart } from '../wire/json-text.js';
import { readDuration, readTimestamp } from '../wire/seconds.js';
import { base64String, plainText } from '../wire/text.js';
import type { PlanContext, ValueWriter } from './message-plan.js';
import { joinObjects } from './shapes.js';

type WriterFactory = (desc: DescMessage, context: PlanContext) => ValueWriter;

const READERS: ReadonlyMap<string, WriterFactory> = new Map<string, WriterFactory>([
  ['google.protobuf.Timestamp', () => readTimestamp],
  ['google.protobuf.Duration', () => readDuration],
  ['google.protobuf.Any', (_, context) => anyWriter(context)],
  ['google.protobuf.FieldMask', plainWriter],
  ['google.protobuf.Struct', plainWriter],
  ['google.protobuf.Value', plainWriter],
  ['google.protobuf.ListValue', plainWriter],
  ...['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name): [string, WriterFactory] => [`google.protobuf.${name}Value`, wrapperWriter],
  ),
]);

/** The writer of a message that is not a JSON object of its fields. Source: the proto3 JSON mapping. */
export function wellKnownWriter(desc: DescMessage, context: PlanContext): ValueWriter | undefined {
  return READERS.get(desc.typeName)?.(desc, context);
}

const TYPE_URL_TAG = (1 << 3) | WIRE.bytes;
const VALUE_TAG = (2 << 3) | WIRE.bytes;

/** `{"@type": …}` with the fields of a known type, or with the bytes of one that is not known here. */
function anyWriter({ registry, planOf }: PlanContext): ValueWriter {
  return (cursor, end) => {
    const { out } = cursor;
    const { typeUrl, valueStart, valueEnd } = readAnyParts(cursor, end);
    if (typeUrl === '') {
      out.ascii('{}');
      return;
    }
    out.text(`{"@type":${JSON.stringify(typeUrl)}`);
    const desc = registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf('/') + 1));
    const isPlain = desc !== undefined && !READERS.has(desc.typeName);
    if (!isPlain) out.ascii(',"value":');
    const start = out.length;
    cursor.pos = valueStart;
    if (desc === undefined) base64String(cursor, valueEnd);
    else {
      cursor.enter();
      planOf(desc).write(cursor, valueEnd);
      cursor.leave();
    }
    if (isPlain) joinObjects(out, start);
    else out.ascii('}');
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
function plainWriter(desc: DescMessage): ValueWriter {
  return ({ bytes, pos, out }, end) =>
    out.text(JSON.stringify(toJson(desc, fromBinary(desc, bytes.subarray(pos, end)))));
}

/** A wrapper is its value, or the zero of its type. */
function wrapperWriter(desc: DescMessage, context: PlanContext): ValueWriter {
  const zero = jsonPart(zeroOf(desc.fields[0]?.scalar));
  return (cursor, end) => {
    const field = context.planOf(desc).fields[0];
    const { out } = cursor;
    const textStart = out.length;
    for (let tag = cursor.tag(end); tag !== 0; tag = cursor.tag(end)) {
      const start = cursor.pos;
      const valueEnd = cursor.skip(tag, end);
      if (field === undefined || tag !== field.tag) continue;
      cursor.pos = start;
      if ((tag & 7) === WIRE.bytes) cursor.endOfBytes(end);
      // The last of several values counts.
      out.length = textStart;
      field.write(cursor, valueEnd);
      cursor.pos = valueEnd;
    }
    if (out.length === textStart) out.put(zero);
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
