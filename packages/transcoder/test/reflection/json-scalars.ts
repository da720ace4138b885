import { type DescEnum, ScalarType } from '@bufbuild/protobuf';
import type { FieldFormat } from '../../src/fields/field-format.js';
import { printDouble, printFloat } from '../../src/wire/json-numbers.js';

/** A scalar as proto3 JSON: 64-bit integers are strings, bytes standard base64. */
export function printScalar(type: ScalarType | undefined, value: unknown, format?: FieldFormat): string {
  if (typeof value === 'string') return JSON.stringify(printText(format, value));
  if (typeof value === 'bigint') return `"${value}"`;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return type === ScalarType.FLOAT ? printFloat(value) : printDouble(value);
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return JSON.stringify(
      format === undefined ? bytes.toString('base64') : printText(format, bytes.toString('latin1')),
    );
  }
  throw new TypeError('a scalar field holds something else');
}

/** The name of an enum value, or the number of an unknown one. */
export function printEnum(desc: DescEnum, value: unknown): string {
  const number = Number(value);
  if (desc.typeName === 'google.protobuf.NullValue') return 'null';
  const known = desc.value[number];
  return known === undefined ? String(number) : JSON.stringify(known.name);
}

/** Keys of a JSON object are strings for every key type. */
export function printMapKey(key: unknown): string {
  return JSON.stringify(String(key));
}

function printText(format: FieldFormat | undefined, text: string): string {
  return format !== undefined && 'printText' in format ? format.printText(text) : text;
}
