import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { FormatOf } from '../fields/field-format.js';
import { resolveFieldPath } from '../fields/field-path.js';
import { WIRE } from '../wire/cursor.js';

/** Up to this size a loop is faster than a call into Node.js. */
const SHORT = 64;

/**
 * Encodes a request with one string field, such as an id; the common case. `undefined` for an empty text, and for a field that is not
 * a plain string of the message itself.
 */
export function encodeLoneText(
  desc: DescMessage,
  fieldPath: string,
  text: string,
  formatOf: FormatOf,
): Uint8Array | undefined {
  const resolved = resolveFieldPath(desc, fieldPath);
  if (text === '' || !('path' in resolved) || resolved.path.fields.length !== 1 || !resolved.path.isPlain)
    return undefined;
  const [field] = resolved.path.fields;
  if (field.fieldKind !== 'scalar' || field.scalar !== ScalarType.STRING) return undefined;
  if (formatOf(field)?.readText !== undefined) return undefined;
  return lengthDelimited(((field.number << 3) | WIRE.bytes) >>> 0, text);
}

function lengthDelimited(tag: number, text: string): Uint8Array {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(varintBytes(tag) + varintBytes(length) + length);
  let at = putVarint(bytes, 0, tag);
  at = putVarint(bytes, at, length);
  if (length !== text.length || length > SHORT) bytes.write(text, at);
  else for (let index = 0; index < length; index += 1) bytes[at++] = text.charCodeAt(index);
  return bytes;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}

function putVarint(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  return at;
}
