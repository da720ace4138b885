import { type DescField, type DescMessage, fromBinary, type Registry, ScalarType } from '@bufbuild/protobuf';
import { isReflectMessage, type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { FormatOf } from '../../src/fields/field-format.js';
import { type FieldMask, maskFor } from '../../src/fields/parse-field-mask.js';
import type { JsonProfile } from '../../src/json/profile.js';
import type { ReplyShape } from '../../src/json/writer.js';
import { printEnum, printMapKey, printScalar } from './json-scalars.js';
import { wellKnownWriter } from './json-well-known.js';
import type { WriterContext } from './writer-context.js';

const IMPLICIT = FeatureSet_FieldPresence.IMPLICIT;

type Writer = (bytes: Uint8Array, shape?: ReplyShape) => string;

/** Writers by reflection: slow and plain, to hold the compiled ones against. */
export function createReflectionWriters(
  registry: Registry,
  profile: JsonProfile,
  formatOf: FormatOf,
): (desc: DescMessage) => Writer {
  const context: WriterContext = {
    registry,
    profile,
    formatOf,
    writeMessage: (message, mask) => writeMessage(context, message, mask),
    writeFields: (message, mask) => writeFields(context, message, mask),
  };
  return memoize((desc: DescMessage): Writer => {
    return (bytes, { responseBody = '', mask } = {}) => {
      const message = reflect(desc, fromBinary(desc, bytes), false);
      const field = responseBody === '' ? undefined : desc.fields.find((candidate) => candidate.name === responseBody);
      return field === undefined
        ? context.writeMessage(message, mask)
        : (writeField(context, message, field, mask) ?? 'null');
    };
  });
}

function memoize<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { value: V }>();
  return (key) => {
    let entry = known.get(key);
    if (entry === undefined) {
      entry = { value: make(key) };
      known.set(key, entry);
    }
    return entry.value;
  };
}

function writeMessage(context: WriterContext, message: ReflectMessage, mask: FieldMask | undefined): string {
  const special = wellKnownWriter(message.desc.typeName);
  if (special !== undefined) return special(message, context);
  return `{${writeFields(context, message, mask).join(',')}}`;
}

function writeFields(context: WriterContext, message: ReflectMessage, mask: FieldMask | undefined): string[] {
  const members: string[] = [];
  for (const field of message.desc.fields) {
    const inner = mask === undefined ? undefined : maskFor(mask, field);
    if (mask !== undefined && inner === undefined) continue;
    const value = writeField(context, message, field, inner === true ? undefined : inner);
    if (value === undefined) continue;
    members.push(`${JSON.stringify(context.profile.names === 'proto' ? field.name : field.jsonName)}:${value}`);
  }
  return members;
}

/** The value of a field, or `undefined` when it is not written at all. */
function writeField(
  context: WriterContext,
  message: ReflectMessage,
  field: DescField,
  mask: FieldMask | undefined,
): string | undefined {
  if (!message.isSet(field))
    return context.profile.defaults === 'emit' ? writeDefault(context, message, field) : undefined;
  switch (field.fieldKind) {
    case 'message':
      return context.writeMessage(message.get(field), mask);
    case 'list': {
      const items = [...message.get(field)];
      return `[${items.map((item) => writeItem(context, field, item, mask)).join(',')}]`;
    }
    case 'map': {
      const entries = [...message.get(field)];
      return `{${entries.map(([key, item]) => `${printMapKey(key)}:${writeItem(context, field, item, mask)}`).join(',')}}`;
    }
    default:
      return writeItem(context, field, message.get(field), mask);
  }
}

function writeItem(context: WriterContext, field: DescField, value: unknown, mask: FieldMask | undefined): string {
  if (field.enum !== undefined) return printEnum(field.enum, value);
  if (field.message !== undefined) return context.writeMessage(asReflectMessage(value), mask);
  return printScalar(field.scalar, value, context.formatOf(field));
}

/** An absent member of a oneof and an absent optional field are not written; other absences have a default. */
function writeDefault(context: WriterContext, message: ReflectMessage, field: DescField): string | undefined {
  if (field.fieldKind === 'list') return '[]';
  if (field.fieldKind === 'map') return '{}';
  if (field.fieldKind === 'message') return field.oneof === undefined ? 'null' : undefined;
  if (field.presence !== IMPLICIT) return undefined;
  if (field.fieldKind === 'enum') return printEnum(field.enum, 0);
  return field.scalar === ScalarType.BYTES ? 'null' : writeItem(context, field, message.get(field), undefined);
}

function asReflectMessage(value: unknown): ReflectMessage {
  if (!isReflectMessage(value)) throw new TypeError('a message field holds something else');
  return value;
}
