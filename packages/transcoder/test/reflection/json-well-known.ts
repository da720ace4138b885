import { type DescField, fromBinary, toJson } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { printFraction } from '../../src/wire/json-numbers.js';
import { printScalar } from './json-scalars.js';
import type { WriterContext } from './writer-context.js';

type MessageWriter = (message: ReflectMessage, context: WriterContext) => string;

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the range of RFC 3339 years. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

const WRITERS: ReadonlyMap<string, MessageWriter> = new Map<string, MessageWriter>([
  ['google.protobuf.Timestamp', writeTimestamp],
  ['google.protobuf.Duration', writeDuration],
  ['google.protobuf.Any', writeAny],
  ['google.protobuf.FieldMask', writePlain],
  ['google.protobuf.Struct', writePlain],
  ['google.protobuf.Value', writePlain],
  ['google.protobuf.ListValue', writePlain],
  ...['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name): [string, MessageWriter] => [`google.protobuf.${name}Value`, writeWrapper],
  ),
]);

/** The writer of a message that is not a JSON object of its fields. Source: the proto3 JSON mapping. */
export function wellKnownWriter(typeName: string): MessageWriter | undefined {
  return WRITERS.get(typeName);
}

function writeTimestamp(message: ReflectMessage): string {
  const { seconds, nanos } = readSecondsAndNanos(message);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0) throw new RangeError('a time is out of range');
  const toSecond = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  return `"${toSecond}${printFraction(nanos)}Z"`;
}

function writeDuration(message: ReflectMessage): string {
  const { seconds, nanos } = readSecondsAndNanos(message);
  if ((seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0)) throw new RangeError('a duration has two signs');
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  return `"${sign}${String(seconds).replace('-', '')}${printFraction(Math.abs(nanos))}s"`;
}

function readSecondsAndNanos(message: ReflectMessage): { seconds: bigint; nanos: number } {
  const nanos = Number(getByName(message, 'nanos'));
  if (Math.abs(nanos) > 999_999_999) throw new RangeError('nanoseconds are more than a second');
  return { seconds: BigInt(String(getByName(message, 'seconds'))), nanos };
}

/** `{"@type": …}` with the fields of a known type, or with the bytes of one that is not known here. */
function writeAny(message: ReflectMessage, context: WriterContext): string {
  const typeUrl = String(getByName(message, 'type_url'));
  const bytes = getByName(message, 'value');
  if (typeUrl === '') return '{}';
  const type = `"@type":${JSON.stringify(typeUrl)}`;
  const desc = context.registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf('/') + 1));
  if (!(bytes instanceof Uint8Array)) throw new TypeError('an Any without bytes');
  if (desc === undefined) return `{${type},"value":${printScalar(undefined, bytes)}}`;
  const inner = reflect(desc, fromBinary(desc, bytes), false);
  if (WRITERS.has(desc.typeName)) return `{${type},"value":${context.writeMessage(inner)}}`;
  return `{${[type, ...context.writeFields(inner)].join(',')}}`;
}

function writeWrapper(message: ReflectMessage): string {
  const field = message.fields[0];
  return printScalar(field?.scalar, getByName(message, 'value'));
}

/** JSON values and field masks are spelled the same in every profile. */
function writePlain(message: ReflectMessage): string {
  return JSON.stringify(toJson(message.desc, message.message));
}

function getByName(message: ReflectMessage, name: string): unknown {
  const field: DescField | undefined = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new TypeError(`${message.desc.typeName} has no field ${name}`);
  return message.get(field);
}
