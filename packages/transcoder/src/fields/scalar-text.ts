import { ScalarType } from '@bufbuild/protobuf';

export type Parsed<T> = { readonly value: T } | { readonly problem: string };
export type Scalar = string | number | bigint | boolean | Uint8Array;

const INTEGER = /^[+-]?[0-9]{1,40}$/;
const FLOAT = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const SPECIAL_FLOATS = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['+infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);
/** The spellings Go's `strconv.ParseBool` takes. */
const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);
const BASE64 = /^[A-Za-z0-9+/]*$/;

/** Reads one value of a path or query. Never throws; a `problem` is a plain sentence without the value. */
export function parseScalar(type: ScalarType, text: string): Parsed<Scalar> {
  switch (type) {
    case ScalarType.STRING:
      return { value: text };
    case ScalarType.BOOL:
      return parseBool(text);
    case ScalarType.BYTES:
      return parseBytes(text);
    case ScalarType.DOUBLE:
      return parseFloating(text, Number.MAX_VALUE);
    case ScalarType.FLOAT:
      return parseFloating(text, 3.4028234663852886e38);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return toNumber(parseInteger(text, -(2n ** 31n), 2n ** 31n - 1n));
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return toNumber(parseInteger(text, 0n, 2n ** 32n - 1n));
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return parseInteger(text, -(2n ** 63n), 2n ** 63n - 1n);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return parseInteger(text, 0n, 2n ** 64n - 1n);
  }
}

function parseInteger(text: string, min: bigint, max: bigint): Parsed<bigint> {
  if (!INTEGER.test(text)) return { problem: 'must be a whole number' };
  const value = BigInt(text.replace('+', ''));
  return value < min || value > max ? { problem: `must be from ${min} to ${max}` } : { value };
}

function toNumber(parsed: Parsed<bigint>): Parsed<number> {
  return 'problem' in parsed ? parsed : { value: Number(parsed.value) };
}

function parseFloating(text: string, max: number): Parsed<number> {
  const special = SPECIAL_FLOATS.get(text.toLowerCase());
  if (special !== undefined) return { value: special };
  if (!FLOAT.test(text)) return { problem: 'must be a number' };
  const value = Number(text);
  return Math.abs(value) > max ? { problem: 'is too large' } : { value };
}

function parseBool(text: string): Parsed<boolean> {
  if (TRUE.has(text)) return { value: true };
  return FALSE.has(text) ? { value: false } : { problem: 'must be true or false' };
}

/** Both alphabets, padded or not. A `+` pasted unescaped arrives as a space and is put back. */
function parseBytes(text: string): Parsed<Uint8Array> {
  const digits = text
    .replaceAll(' ', '+')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  if (!BASE64.test(digits) || digits.length % 4 === 1) return { problem: 'must be base64' };
  return { value: new Uint8Array(Buffer.from(digits, 'base64')) };
}
