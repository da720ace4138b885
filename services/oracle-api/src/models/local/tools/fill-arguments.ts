import { z } from 'zod';
import { parseJson } from '../../../parse-json.js';

type Args = Record<string, unknown>;

const property = z.object({
  type: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.object({ type: z.unknown().optional() }).optional(),
});
const objectSchema = z.object({
  properties: z.record(z.string(), property).optional(),
  required: z.array(z.string()).optional(),
});

const argsObject = z.record(z.string(), z.unknown());
type Property = z.infer<typeof property>;

export interface Filled {
  readonly args: Args;
  /** Names of required arguments that the sentence lacks. */
  readonly missing: readonly string[];
}

const leading = /^(?:\s|[:,–-]|\b(?:in|of|for|to|about|with|named|called|from|at|on|by|is|the|an?)\b)+/i;

/** Fills the arguments of a tool from the rest of a sentence: JSON, `name: value`, or plain words. Pure. */
export function fillArguments(schema: Readonly<Record<string, unknown>>, rest: string): Filled {
  const json = argsIn(rest);
  const { properties = {}, required = [] } = objectSchema.safeParse(schema).data ?? {};
  const args: Args = json ?? {};
  if (json === undefined) fillFromWords(args, rest, Object.entries(properties), required);
  return { args, missing: required.filter((name) => !Object.hasOwn(args, name)) };
}

function fillFromWords(args: Args, rest: string, properties: [string, Property][], required: readonly string[]): void {
  let left = rest;
  for (const [name, shape] of properties) {
    const pair = new RegExp(`(?:^|[\\s,])${escaped(name)}\\s*(?:[:=]|\\bis\\b)?\\s*("[^"]*"|[^\\s,]+)`, 'i').exec(left);
    const value = pair?.[1] === undefined ? undefined : typedValue(shape, unquoted(pair[1]));
    if (pair === null || value === undefined) continue;
    args[name] = value;
    left = left.slice(0, pair.index) + left.slice(pair.index + pair[0].length);
  }
  const open = properties.filter(([name]) => !Object.hasOwn(args, name));
  // Required arguments come first; of the others, only unambiguous ones are filled.
  const wanted = [
    ...open.filter(([name]) => required.includes(name)),
    ...open.filter(([name]) => !required.includes(name)),
  ];
  const texts = wanted.filter(
    ([name, { type, enum: words }]) =>
      type === 'string' && words === undefined && (required.includes(name) || required.length === 0),
  );
  for (const [name, shape] of wanted) {
    const isLastText = texts.at(-1)?.[0] === name;
    const found = texts.some(([text]) => text === name) ? textIn(left, isLastText) : plainIn(left, shape);
    if (found === undefined) continue;
    args[name] = found.value;
    left = found.left;
  }
}

interface Found {
  readonly value: unknown;
  readonly left: string;
}

/** The whole rest for the last missing text; else a quoted text, or the next word. */
function textIn(left: string, isLast: boolean): Found | undefined {
  const quoted = /"([^"]+)"|“([^”]+)”/.exec(left);
  if (quoted !== null) return { value: quoted[1] ?? quoted[2], left: without(left, quoted) };
  const did = /\bdid:[a-z0-9]+:[\w.:%-]*[\w]/.exec(left);
  if (did !== null) return { value: did[0], left: without(left, did) };
  const text = left.replace(leading, '').replace(/[.!?\s]+$/, '');
  if (text === '') return undefined;
  if (isLast) return { value: text, left: '' };
  const [word = '', ...others] = text.split(' ');
  return { value: word, left: others.join(' ') };
}

/** Numbers, lists and enum values: no other type is recognisable in plain words. */
function plainIn(left: string, shape: Property): Found | undefined {
  const word = shape.enum?.find(
    (one) => typeof one === 'string' && new RegExp(`\\b${escaped(one)}\\b`, 'i').test(left),
  );
  if (word !== undefined) return { value: word, left };
  if (shape.type === 'number' || shape.type === 'integer') {
    const number = /-?\d+(?:\.\d+)?/.exec(left);
    return number === null ? undefined : { value: Number(number[0]), left: without(left, number) };
  }
  if (shape.type !== 'array') return undefined;
  const items = listIn(left, shape.items?.type);
  return items.length === 0 ? undefined : { value: items, left: '' };
}

function listIn(text: string, type: unknown): unknown[] {
  if (type === 'number' || type === 'integer') return (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const plain = text.replace(leading, '').replace(/[.!?\s]+$/, '');
  return plain === '' ? [] : plain.split(/\s*,\s*|\s+and\s+/);
}

function typedValue({ type }: Property, text: string): unknown {
  if (type === 'number' || type === 'integer') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (type === 'boolean')
    return /^(true|yes|on)$/i.test(text) ? true : /^(false|no|off)$/i.test(text) ? false : undefined;
  return type === 'string' || type === undefined ? text.replace(/[.!?]+$/, '') : undefined;
}

function argsIn(text: string): Args | undefined {
  const start = text.indexOf('{');
  return start === -1 ? undefined : argsObject.safeParse(parseJson(text.slice(start, text.lastIndexOf('}') + 1))).data;
}

function without(text: string, match: RegExpExecArray): string {
  return `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`.trim();
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const known = z.object({
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).min(1).optional(),
  minimum: z.number().optional(),
});

/** Levels of a schema that are filled. */
const deepest = 8;

/**
 * An object with all fields that its schema requires: the smallest values of their types, and the text for strings. For tests and
 * demos: keywords such as lengths and references are ignored. Pure.
 */
export function withRequired(
  schema: unknown,
  object: Readonly<Record<string, unknown>>,
  text: string,
  depth = 0,
): Record<string, unknown> {
  const { properties = {}, required = [] } = known.safeParse(schema).data ?? {};
  const missing = required.filter((name) => !Object.hasOwn(object, name));
  const filled = missing.map((name) => [name, smallestValue(properties[name], text, depth + 1)] as const);
  return { ...object, ...Object.fromEntries(filled) };
}

function smallestValue(schema: unknown, text: string, depth: number): unknown {
  const shape = known.safeParse(schema).data ?? {};
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.anyOf !== undefined && depth < deepest) return smallestValue(shape.anyOf[0], text, depth + 1);
  const [type] = [shape.type].flat();
  if (type === 'object') return depth < deepest ? withRequired(schema, {}, text, depth) : {};
  if (type === 'array') return [];
  if (type === 'number' || type === 'integer') return shape.minimum ?? 0;
  if (type === 'boolean') return false;
  return type === 'null' ? null : text;
}
