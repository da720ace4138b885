import { jsonSchemaLimits } from '@mlango/schemas/json-schema';
import { isObject } from '@mlango/service-kit/parse-json';
import type { JsonSchema } from './tool-schema.js';

/** Keywords with data as values, not schemas. */
export const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required', 'type']);
/** Keywords with schemas by name as values. */
const mapKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const definitions = new Set(['$defs', 'definitions']);
/** Keywords without constraints. */
const annotations = new Set(['title', 'description', 'default', 'examples', '$comment', 'deprecated', 'readOnly']);

class Unresolved extends Error {}

/**
 * Replaces each local reference (`#/$defs/name`) in a schema by its target. Undefined if a reference is recursive or not local, or if
 * the result has more values than `jsonSchemaLimits` allow. Pure; its work is bounded by that number.
 */
export function withoutReferences(schema: JsonSchema): JsonSchema | undefined {
  if (!JSON.stringify(schema).includes('"$ref"')) return schema;
  const budget = { left: jsonSchemaLimits.values };
  try {
    return resolvedObject({ root: schema, budget, trail: [] }, schema);
  } catch (error) {
    if (error instanceof Unresolved) return undefined;
    throw error;
  }
}

interface Resolution {
  readonly root: JsonSchema;
  readonly budget: { left: number };
  /** References on the path to this place: a repeated one is recursive. */
  readonly trail: readonly string[];
}

function resolvedObject(place: Resolution, schema: JsonSchema): JsonSchema {
  const parts = Object.entries(schema).filter(([keyword]) => keyword !== '$ref' && !definitions.has(keyword));
  const own = Object.fromEntries(parts.map(([keyword, value]) => [keyword, resolvedKeyword(place, keyword, value)]));
  const { $ref: reference } = schema;
  if (reference === undefined) return own;
  if (typeof reference !== 'string' || place.trail.includes(reference)) throw new Unresolved();
  const target = resolvedObject({ ...place, trail: [...place.trail, reference] }, targetOf(place.root, reference));
  const isTwice = Object.keys(own).some((keyword) => !annotations.has(keyword) && Object.hasOwn(target, keyword));
  return isTwice ? { ...own, allOf: [target, ...listOf(own['allOf'])] } : { ...target, ...own };
}

function resolvedKeyword(place: Resolution, keyword: string, value: unknown): unknown {
  if (dataKeywords.has(keyword)) return counted(place, value);
  if (!mapKeywords.has(keyword) || !isObject(value)) return resolved(place, value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(place, one)]));
}

function resolved(place: Resolution, value: unknown): unknown {
  counted(place, value);
  if (Array.isArray(value)) return value.map((one: unknown) => resolved(place, one));
  return isObject(value) ? resolvedObject(place, value) : value;
}

function counted({ budget }: Resolution, value: unknown): unknown {
  budget.left -= Array.isArray(value) ? value.length + 1 : 1;
  if (budget.left < 0) throw new Unresolved();
  return value;
}

function targetOf(root: JsonSchema, reference: string): JsonSchema {
  if (!reference.startsWith('#/')) throw new Unresolved();
  const steps = reference.slice(2).split('/');
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let target: unknown = root;
  for (const name of names) {
    if (!isObject(target) || !Object.hasOwn(target, name)) throw new Unresolved();
    target = target[name];
  }
  if (!isObject(target)) throw new Unresolved();
  return target;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
