import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { FieldFormat } from '../fields/field-format.js';
import { WIRE } from '../wire/cursor.js';
import { type JsonPart, jsonPart } from '../wire/json-text.js';
import { enumWriter, NUMBERS } from '../wire/scalars.js';
import { base64String, jsonString, plainText } from '../wire/text.js';
import type { EntryPlan, FieldPlan, PlanContext, ValueWriter } from './message-plan.js';

const IMPLICIT = FeatureSet_FieldPresence.IMPLICIT;

/** The encoding of a field's values, and their writer. */
interface ValuePlan {
  readonly wireType: number;
  readonly write: ValueWriter;
  /** The text of the value that is not sent; `undefined` for messages. */
  readonly zero: string | undefined;
}

/** The type of a value, as a field or in a map entry. */
interface ValueType {
  readonly scalar: ScalarType | undefined;
  readonly enum: DescEnum | undefined;
  readonly message: DescMessage | undefined;
}

export function compileField(field: DescField, index: number, context: PlanContext): FieldPlan {
  const { names, defaults } = context.profile;
  const name = JSON.stringify(names === 'proto' ? field.name : field.jsonName);
  const shape = field.fieldKind === 'list' || field.fieldKind === 'map' ? field.fieldKind : 'one';
  const value = shape === 'map' ? { wireType: WIRE.bytes, write: noValue, zero: undefined } : valuePlan(field, context);
  const isImplicit = shape === 'one' && field.message === undefined && field.presence === IMPLICIT;
  const canPack = shape === 'list' && value.wireType !== WIRE.bytes && value.wireType !== WIRE.groupStart;
  return {
    field,
    index,
    shape,
    first: jsonPart(`{${name}:`),
    next: jsonPart(`,${name}:`),
    tag: toTag(field.number, value.wireType),
    packedTag: canPack ? toTag(field.number, WIRE.bytes) : -1,
    write: value.write,
    zero: isImplicit ? partOf(value.zero) : undefined,
    absent: defaults === 'emit' ? partOf(absentText(field, isImplicit, value.zero)) : undefined,
    oneof: field.oneof,
    known: closedNumbers(field),
    entry: field.fieldKind === 'map' ? compileEntry(field, context) : undefined,
  };
}

/** Fields by every tag they may have. */
export function indexByTag(fields: readonly FieldPlan[]): Map<number, FieldPlan> {
  const byTag = new Map(fields.map((field) => [field.tag, field]));
  for (const field of fields) if (field.packedTag >= 0) byTag.set(field.packedTag, field);
  return byTag;
}

/** Absent members of a oneof and absent optional fields are not written; other absences have a default. */
function absentText(field: DescField, isImplicit: boolean, zero: string | undefined): string | undefined {
  if (field.fieldKind === 'list') return '[]';
  if (field.fieldKind === 'map') return '{}';
  if (field.fieldKind === 'message') return field.oneof === undefined ? 'null' : undefined;
  if (!isImplicit) return undefined;
  return field.scalar === ScalarType.BYTES ? 'null' : zero;
}

function valuePlan(field: DescField, context: PlanContext): ValuePlan {
  const plan = typedValue(field, context, field.utf8Validation, context.formatOf(field));
  const isGroup = field.message !== undefined && 'delimitedEncoding' in field && field.delimitedEncoding;
  return isGroup ? { ...plan, wireType: WIRE.groupStart } : plan;
}

function typedValue(
  type: ValueType,
  context: PlanContext,
  isStrict: boolean,
  format: FieldFormat | undefined,
): ValuePlan {
  const { message } = type;
  if (message !== undefined) {
    // Resolved with the first value, because a message may contain itself.
    let write: ValueWriter | undefined;
    return {
      wireType: WIRE.bytes,
      zero: undefined,
      write: (cursor, end, mask) => {
        write ??= context.planOf(message).write;
        write(cursor, end, mask);
      },
    };
  }
  if (type.enum !== undefined) {
    const write = enumWriter(type.enum);
    const zero = type.enum.value[0]?.name;
    const isNull = type.enum.typeName === 'google.protobuf.NullValue';
    return { wireType: WIRE.varint, write, zero: isNull ? 'null' : zero === undefined ? '0' : JSON.stringify(zero) };
  }
  const number = NUMBERS[type.scalar ?? ScalarType.STRING];
  if (number !== undefined) return number;
  const zero = format !== undefined && 'empty' in format ? format.empty : '""';
  return { wireType: WIRE.bytes, zero, write: textWriter(type.scalar === ScalarType.BYTES, isStrict, format) };
}

function textWriter(isBytes: boolean, isStrict: boolean, format: FieldFormat | undefined): ValueWriter {
  if (format !== undefined && 'printJson' in format) {
    return ({ bytes, pos, out }, end) => out.text(format.printJson(bytes.subarray(pos, end)));
  }
  if (format !== undefined) {
    const { printText } = format;
    if (isBytes)
      return ({ bytes, pos, out }, end) => out.text(JSON.stringify(printText(bytes.toString('latin1', pos, end))));
    return (cursor, end) => cursor.out.text(JSON.stringify(printText(plainText(cursor, end, isStrict))));
  }
  return isBytes ? base64String : (cursor, end) => jsonString(cursor, end, isStrict);
}

function compileEntry(field: DescField & { fieldKind: 'map' }, context: PlanContext): EntryPlan {
  const { utf8Validation: isStrict } = field;
  const keyType = { scalar: field.mapKey, enum: undefined, message: undefined };
  const part = (index: 0 | 1, type: ValueType): FieldPlan => {
    const value = typedValue(type, context, isStrict, index === 1 ? context.formatOf(field) : undefined);
    return {
      field,
      index,
      shape: 'one',
      first: NOTHING,
      next: NOTHING,
      tag: toTag(index + 1, value.wireType),
      packedTag: -1,
      write: value.write,
      zero: undefined,
      absent: partOf(value.zero),
      oneof: undefined,
      known: undefined,
      entry: undefined,
    };
  };
  const key = part(0, keyType);
  const value = part(1, field);
  return { key, value, fields: [key, value], byTag: indexByTag([key, value]) };
}

const NOTHING = jsonPart('');

function partOf(text: string | undefined): JsonPart | undefined {
  return text === undefined ? undefined : jsonPart(text);
}

function closedNumbers(field: DescField): ReadonlySet<number> | undefined {
  if (field.fieldKind === 'map' || field.enum === undefined || field.enum.open) return undefined;
  return field.fieldKind === 'enum' ? new Set(field.enum.values.map((value) => value.number)) : undefined;
}

function toTag(number: number, wireType: number): number {
  return ((number << 3) | wireType) >>> 0;
}

function noValue(): never {
  throw new TypeError('a map is written by its entries');
}
