import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { parseFieldPaths } from './parse-field-mask.js';
import { isUnrealTime, UNREAL_TIME, WANTS_TIME } from './real-time.js';
import { type Parsed, parseScalar } from './scalar-text.js';

type MessageReader = (desc: DescMessage, text: string) => Parsed<unknown>;

/** Messages of google.protobuf that have one JSON string, number or boolean, or any JSON text. */
const READERS: ReadonlyMap<string, MessageReader> = new Map<string, MessageReader>([
  ['google.protobuf.Timestamp', readTime],
  ['google.protobuf.Duration', (desc, text) => readJson(desc, text, 'must be a duration in seconds such as 1.5s')],
  ['google.protobuf.FieldMask', readFieldMask],
  ['google.protobuf.Struct', readJsonText],
  ['google.protobuf.Value', readJsonText],
  ['google.protobuf.ListValue', readJsonText],
  ...['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name): [string, MessageReader] => [`google.protobuf.${name}Value`, readWrapper],
  ),
]);

/** True when a value of the field, or of its items, can be written as one text. */
export function hasTextForm(field: DescField): boolean {
  return field.message === undefined || READERS.has(field.message.typeName);
}

/** Reads one value for a field, for one item of a list or for one entry of a map, ready for a `ReflectMessage`. */
export function parseValue(field: DescField, text: string): Parsed<unknown> {
  if (field.enum !== undefined) return parseEnum(field.enum, text);
  const message = field.message;
  if (message !== undefined) {
    const reader = READERS.get(message.typeName);
    return reader === undefined ? { problem: 'is a message: name one of its fields' } : reader(message, text);
  }
  return parseScalar(field.scalar ?? ScalarType.STRING, text);
}

/** Reads the key of a map entry. */
export function parseMapKey(field: DescField & { fieldKind: 'map' }, text: string): Parsed<unknown> {
  return parseScalar(field.mapKey, text);
}

export function parseEnum(desc: DescEnum, text: string): Parsed<number> {
  const byName = desc.values.find((value) => value.name === text);
  if (byName !== undefined) return { value: byName.number };
  const number = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : undefined;
  if (number !== undefined && desc.value[number] !== undefined) return { value: number };
  const names = desc.values.slice(0, 12).map((value) => value.name);
  return { problem: `must be one of ${names.join(', ')}${desc.values.length > 12 ? ', …' : ''}` };
}

function readTime(desc: DescMessage, text: string): Parsed<unknown> {
  if (isUnrealTime(text)) return { problem: UNREAL_TIME };
  return readJson(desc, text, WANTS_TIME);
}

function readJson(desc: DescMessage, json: JsonValue, problem: string): Parsed<unknown> {
  try {
    return { value: reflect(desc, fromJson(desc, json)) };
  } catch {
    return { problem };
  }
}

function readJsonText(desc: DescMessage, text: string): Parsed<unknown> {
  const problem = 'must be JSON of the right kind';
  try {
    const json: JsonValue = JSON.parse(text);
    return readJson(desc, json, problem);
  } catch {
    return { problem };
  }
}

/** A comma list of paths, in either spelling; messages carry proto names. */
function readFieldMask(desc: DescMessage, text: string): Parsed<unknown> {
  const message = reflect(desc, create(desc));
  const paths = desc.fields.find((field) => field.name === 'paths');
  if (paths?.fieldKind !== 'list') return { problem: 'must be a list of field paths' };
  const read = text === '' ? { paths: [] } : parseFieldPaths(text);
  if ('problem' in read) return read;
  for (const names of read.paths) {
    message.get(paths).add(names.join('.').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  }
  return { value: message };
}

function readWrapper(desc: DescMessage, text: string): Parsed<unknown> {
  const message = reflect(desc, create(desc));
  const value = desc.fields[0];
  if (value?.fieldKind !== 'scalar') return { problem: 'cannot be given as text' };
  const parsed = parseScalar(value.scalar, text);
  if ('problem' in parsed) return parsed;
  message.set(value, parsed.value);
  return { value: message };
}
