import type { JsonValue, Registry } from '@bufbuild/protobuf';
import { findField } from '../fields/field-path.js';
import { isHttpBody } from '../rules/http-body.js';
import { checkBody, findMisfit } from './check-body.js';
import { findDuplicateName } from './duplicate-names.js';
import type { UnknownQuery } from './query.js';
import type { RequestDraft } from './request-draft.js';
import type { Violation } from './violation.js';

interface BodyOptions {
  readonly registry: Registry;
  readonly unknownQuery: UnknownQuery;
  /** The content type of a body; used for raw bodies only. */
  readonly contentType?: string | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Fills the draft from a proto3 JSON body. `rule` is the body part of the HTTP rule: `''` takes no body, `'*'` the
 * whole message, a field name that field. An empty body leaves the message empty, and one for a google.api.HttpBody is not
 * read at all.
 */
export function bindBody(draft: RequestDraft, rule: string, body: Uint8Array, options: BodyOptions): Violation[] {
  if (rule === '') return [];
  const field = rule === '*' ? undefined : findField(draft.desc, rule);
  if (rule !== '*' && field === undefined) return [{ field: rule, description: 'is not a field of the request' }];
  if (field !== undefined) draft.claim(field.name);
  if (body.length === 0) return [];
  if (isHttpBody(field === undefined ? draft.desc : field.message)) {
    draft.fillFromHttpBody(field, { contentType: options.contentType ?? '', data: body });
    return [];
  }
  const name = field?.name ?? 'body';
  const problem = whyTooMuch(body) ?? whyTooLong(body);
  if (problem !== undefined) return [{ field: name, description: problem }];
  const read = readJson(body);
  if (typeof read === 'string') return [{ field: name, description: read }];
  const { json, duplicate } = read;
  if (duplicate !== undefined)
    return [{ field: pathIn(field?.name, duplicate), description: 'is given more than once' }];
  const rules = {
    registry: options.registry,
    ignoresUnknown: options.unknownQuery === 'ignore',
    refusesUnknown: options.unknownQuery === 'reject',
  };
  const whole: JsonValue = field === undefined ? json : { [field.name]: json };
  const violations = checkBody(draft.desc, whole, '', rules);
  if (violations.length > 0) return [...violations];
  try {
    draft.fillFromJson(whole, options.registry, !rules.refusesUnknown);
    return [];
  } catch (error) {
    return [findMisfit(draft.desc, whole, '', rules) ?? { field: name, description: describe(error) }];
  }
}

function pathIn(field: string | undefined, path: string): string {
  return field === undefined ? path : `${field}.${path}`;
}

interface ReadJson {
  readonly json: JsonValue;
  /** The path of a duplicate name. */
  readonly duplicate: string | undefined;
}

/** Parses a JSON body, or reports its problem. */
function readJson(body: Uint8Array): ReadJson | string {
  try {
    const text = utf8.decode(body);
    const json: JsonValue = JSON.parse(text);
    const duplicate = findDuplicateName(text);
    return { json: LONG_INTEGER.test(text) ? JSON.parse(quoteLongIntegers(text)) : json, duplicate };
  } catch {
    return 'is not valid JSON in UTF-8';
  }
}

/** Maximum nesting. Deeper JSON costs many times more to parse than to send. */
const MAX_DEPTH = 100;
/** Keys, lists, objects and their values. A text of many small ones costs fifty times more to parse than one of a few long ones. */
const MAX_PARTS = 20_000;
/** Characters of a number. The exact decimal form of a double has at most 1,077; a number of a million takes 25 ms to parse. */
const MAX_NUMBER = 2000;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
/** `[` and `{`, `]` and `}` differ in this bit. */
const [OPEN, CLOSE, CURLY] = [0x5b, 0x5d, 0x20];

/** Why a text is not parsed, by its brackets, commas and colons only. */
function whyTooMuch(body: Uint8Array): string | undefined {
  let depth = 0;
  let parts = 0;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === COLON) parts += 1;
    else if ((byte & ~CURLY) === CLOSE) depth -= 1;
    else if ((byte & ~CURLY) === OPEN) {
      depth += 1;
      parts += 1;
    }
    if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if (parts > MAX_PARTS) return `has more than ${MAX_PARTS} keys and values`;
  }
  return undefined;
}

/** Why a text is not parsed, by its longest number. */
function whyTooLong(body: Uint8Array): string | undefined {
  if (body.length <= MAX_NUMBER) return undefined;
  let isText = false;
  let length = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at += 1;
    length = !isText && isNumberPart(byte) ? length + 1 : 0;
    if (length > MAX_NUMBER) return `has a number of more than ${MAX_NUMBER} characters`;
  }
  return undefined;
}

/** A digit, sign, point or exponent. */
function isNumberPart(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b || (byte | 0x20) === 0x65;
}

const LONG_INTEGER = /[0-9]{16}/;

/**
 * Integers a JavaScript number cannot hold become strings, which proto3 JSON reads as the same value. The text must be
 * valid JSON: strings without an end would make this search slow.
 */
function quoteLongIntegers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|(?<![0-9.eE+-])-?[0-9]{16,}(?![0-9.eE])/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}

/** Errors of @bufbuild/protobuf name field and type; the client's value is removed. */
function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const field = /cannot decode (?:field|message) (\S+)/.exec(message)?.[1];
  return field === undefined ? 'does not fit the request message' : `does not fit ${field}`;
}
