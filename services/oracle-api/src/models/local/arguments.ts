import { parseJson } from '@mlango/service-kit/parse-json';
import { z } from 'zod';

type Args = Record<string, unknown>;

const list = z.array(z.unknown()).min(1);
const fields = { type: z.unknown(), properties: z.record(z.string(), z.unknown()), required: z.array(z.string()) };
const shape = z.object({ ...fields, enum: list, anyOf: list, const: z.unknown() }).partial();
const read = (schema: unknown) => shape.safeParse(schema).data ?? {};

/** Arguments from a text: the JSON object in it, else one value per property, required ones first. Pure. */
export function fillArguments(schema: unknown, text: string): Args {
  const json = parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json };
  const { properties = {}, required = [] } = read(schema);
  const args: Args = {};
  let rest = text;
  for (const name of new Set([...required, ...Object.keys(properties)])) {
    const found = valueIn(rest, properties[name], required.length === 0 || required.includes(name));
    if (found === undefined) continue;
    args[name] = found.value;
    rest = rest.replace(found.text, ' ');
  }
  return args;
}

function valueIn(text: string, schema: unknown, mayBeText: boolean): { value: unknown; text: string } | undefined {
  const { type, enum: options } = read(schema);
  if (options !== undefined) {
    const option = options.find((one) => typeof one === 'string' && text.toLowerCase().includes(one.toLowerCase()));
    return option === undefined ? undefined : { value: option, text: '' };
  }
  if (type === 'number' || type === 'integer') {
    const number = /-?\d+(?:\.\d+)?/.exec(text)?.[0];
    return number === undefined ? undefined : { value: Number(number), text: number };
  }
  if (type !== 'string' || !mayBeText) return undefined;
  const quoted = /"([^"]+)"/.exec(text) ?? /\b(did:[a-z0-9]+:[\w.:%-]*\w)/.exec(text);
  if (quoted !== null) return { value: quoted[1], text: quoted[0] };
  const plain = text.replace(/^(?:[\s:,-]|\b(?:in|of|for|to|about|with|from|at|on|by|is|the|an?)\b)+|[.!?\s]+$/gi, '');
  return plain === '' ? undefined : { value: plain, text: plain };
}

export function hasRequired(schema: unknown, args: Args): boolean {
  return (read(schema).required ?? []).every((name) => Object.hasOwn(args, name));
}

/** Adds missing required fields: the smallest value of their type, and the text for strings. Other keywords are ignored. Pure. */
export function withRequired(schema: unknown, args: Args, text: string): Args {
  const { properties = {}, required = [] } = read(schema);
  const missing = required.filter((name) => !Object.hasOwn(args, name));
  const added = Object.fromEntries(missing.map((name) => [name, smallestValue(properties[name], text)]));
  return { ...args, ...added };
}

function smallestValue(schema: unknown, text: string): unknown {
  const { const: constant, enum: options, anyOf, type: types } = read(schema);
  if (constant !== undefined) return constant;
  if (options !== undefined || anyOf !== undefined) return options?.[0] ?? smallestValue(anyOf?.[0], text);
  const [type] = [types].flat();
  if (type === 'object') return withRequired(schema, {}, text);
  const values: Readonly<Record<string, unknown>> = { array: [], number: 0, integer: 0, boolean: false, null: null };
  return Object.hasOwn(values, String(type)) ? values[String(type)] : text;
}
