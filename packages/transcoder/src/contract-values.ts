import {
  type DescExtension,
  type DescField,
  getOption,
  hasOption,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import type { BytesForm } from './message-plan.js';
import type { Violation } from './request-draft.js';
import { base64String } from './wire-text.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The bytes as the JSON they are, on one line; what is none is base64. */
const JSON_TEXT: BytesForm = {
  read(cursor, end) {
    const text = readUtf8(cursor.bytes.subarray(cursor.pos, end));
    if (text === '') return 'null';
    return text !== undefined && isJson(text) ? text.replace(/[\r\n]/g, ' ') : base64String(cursor, end);
  },
  zero: 'null',
};

const HEX: BytesForm = {
  read: (cursor, end) => `"${cursor.bytes.toString('hex', cursor.pos, end).toUpperCase()}"`,
  zero: '""',
};

/** The Go types of bytes that a chain's own gateway does not print in base64, by what it prints. Source: wasmd, CometBFT. */
const FORMS: Readonly<Record<string, BytesForm>> = { RawContractMessage: JSON_TEXT, HexBytes: HEX };

/** Tells how the bytes of a field are written, where that is not base64: what contracts are told and say is JSON itself. */
export function contractForms(registry: Registry): (field: DescField) => BytesForm | undefined {
  const castType = registry.getExtension('gogoproto.casttype');
  if (castType === undefined) return () => undefined;
  return (field) => (field.scalar === ScalarType.BYTES ? FORMS[castOf(field, castType)] : undefined);
}

/**
 * A message to a contract that was written as JSON, in the base64 that stands for it: no base64 begins as JSON does. Other texts
 * stay as they are.
 */
export function encodePlainJson(
  field: DescField,
  text: string,
  registry: Registry,
): string | Pick<Violation, 'description'> {
  if (!/^[{"]/.test(text) || contractForms(registry)(field) !== JSON_TEXT) return text;
  if (!isJson(text)) return { description: 'is neither base64 nor JSON' };
  return Buffer.from(text).toString('base64');
}

function castOf(field: DescField, castType: DescExtension): string {
  const value: unknown = hasOption(field, castType) ? getOption(field, castType) : '';
  return typeof value === 'string' ? value.slice(value.lastIndexOf('.') + 1) : '';
}

function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
