import { isDeepStrictEqual } from 'node:util';
import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Registry,
  toJson,
} from '@bufbuild/protobuf';

/** Descriptions of the differences; empty without differences. */
export type Differences = string[];

export function expectSame(what: string, actual: unknown, expected: unknown): Differences {
  if (isDeepStrictEqual(actual, expected)) return [];
  return [`${what} is ${show(actual)}, expected ${show(expected)}`];
}

/** Compares both sides after @bufbuild/protobuf has read them, so that equal spellings are equal. */
export function expectMessage(
  desc: DescMessage,
  registry: Registry,
  bytes: Uint8Array,
  expected: JsonObject,
): Differences {
  const spell = (message: Parameters<typeof toJson>[1]): JsonValue =>
    toJson(desc, message, { registry, useProtoFieldName: true });
  const actual = spell(fromBinary(desc, bytes));
  return expectSame('the request', actual, spell(fromJson(desc, expected, { registry })));
}

/** The text as JSON, or the text itself if it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
