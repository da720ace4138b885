import {
  type DescExtension,
  type DescField,
  getOption,
  hasOption,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import type { FieldFormat, FormatOf } from '@mlango/transcoder/field-format';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Bytes as the JSON they contain, on one line; other bytes as base64. A contract message written as JSON is encoded to base64.
 * No base64 text begins like JSON.
 */
const JSON_TEXT: FieldFormat = {
  printJson(bytes) {
    const text = readUtf8(bytes);
    if (text === '') return 'null';
    return text !== undefined && isJson(text) ? text.replace(/[\r\n]/g, ' ') : `"${bytes.toString('base64')}"`;
  },
  empty: 'null',
  readText(text) {
    if (!/^[{"]/.test(text)) return text;
    return isJson(text) ? Buffer.from(text).toString('base64') : { problem: 'is neither base64 nor JSON' };
  },
};

const HEX: FieldFormat = {
  printJson: (bytes) => `"${bytes.toString('hex').toUpperCase()}"`,
  empty: '""',
};

/** The Go types of bytes that a Cosmos gateway does not print as base64, by their form. Source: wasmd, CometBFT. */
const FORMATS: Readonly<Record<string, FieldFormat>> = { RawContractMessage: JSON_TEXT, HexBytes: HEX };

/** The format of bytes that are not base64: messages and replies of contracts are JSON. */
export function contractFormats(registry: Registry): FormatOf {
  const castType = registry.getExtension('gogoproto.casttype');
  if (castType === undefined) return () => undefined;
  return (field) => (field.scalar === ScalarType.BYTES ? FORMATS[castOf(field, castType)] : undefined);
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
