import { isObject } from '@mlango/service-kit/parse-json';
import { dataKeywords, withoutReferences } from './local-references.js';
import { type CheckedArgs, isCheckable, type JsonSchema, type ToolSchema, toolSchema } from './tool-schema.js';
import { validationProblem } from './validation-work.js';

/** Arguments are not checked against a schema that is nested deeper. */
const depthLimit = 20;

/** Keywords that are not checked for an untrusted author: a pattern can take exponential time. */
const ignored = new Set(['pattern', 'patternProperties', 'propertyNames', 'format', '$schema', '$id', '$anchor']);
/** References can be circular. */
const references = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

class Uncheckable extends Error {}

/** Adds `items` to each array of a schema: endpoints of models refuse an array without. */
export function withItems(schema: JsonSchema): JsonSchema {
  const parts = Object.entries(schema).map(([keyword, value]) => [keyword, partWithItems(keyword, value)] as const);
  const isArray = [schema['type']].flat().includes('array');
  const hasItems = 'items' in schema || 'prefixItems' in schema;
  return Object.fromEntries(isArray && !hasItems ? [...parts, ['items', {}]] : parts);
}

function partWithItems(keyword: string, value: unknown): unknown {
  if (dataKeywords.has(keyword)) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => (isObject(one) ? withItems(one) : one));
  if (!isObject(value)) return value;
  if (!['properties', '$defs', 'definitions', 'patternProperties'].includes(keyword)) return withItems(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isObject(one) ? withItems(one) : one]));
}

/**
 * Converts the schema of an untrusted author. The model receives it unchanged; arguments are checked as far as the check is safe and
 * its work bounded (`validationLimits`). The caller has refused a schema with a `jsonSchemaProblem`.
 */
export function untrustedSchema(schema: JsonSchema): ToolSchema {
  let checkable: { readonly json: JsonSchema; readonly schema: ToolSchema } | undefined;
  const check = (args: unknown): CheckedArgs => {
    if (!isObject(args)) return { ok: false, problem: 'must be an object' };
    try {
      const json = checkable?.json ?? prunedObject(withoutReferences(schema) ?? schema, 0);
      const problem = validationProblem(json, args);
      if (problem !== undefined) return { ok: false, problem };
      checkable ??= { json, schema: toolSchema(json) };
    } catch (error) {
      if (!(error instanceof Uncheckable)) throw error;
      const problem = validationProblem({}, args);
      return problem === undefined ? { ok: true, args } : { ok: false, problem };
    }
    const checked = checkable.schema.check(args);
    return checked.ok ? { ok: true, args } : checked;
  };
  return { json: schema, check: (args) => check(args ?? {}) };
}

/**
 * Explains why an answer cannot be checked against the schema: `must be of an object`, `refers to itself or to another document`, and so on.
 * Undefined for a usable one. The caller has refused a schema with a `jsonSchemaProblem`.
 */
export function answerSchemaProblem(schema: JsonSchema): string | undefined {
  const whole = withoutReferences(schema);
  if (whole === undefined)
    return 'refers to itself or to another document, or is too long without references: answers cannot be checked';
  const types = whole['type'];
  if (types !== undefined && ![types].flat().includes('object')) return 'must be the schema of an object';
  try {
    return isCheckable(prunedObject(whole, 0))
      ? undefined
      : 'has keywords that answers cannot be checked against, such as if and unevaluatedProperties';
  } catch (error) {
    if (!(error instanceof Uncheckable)) throw error;
    return `has a dynamic reference or more than ${depthLimit} levels: answers cannot be checked`;
  }
}

/** @throws Uncheckable */
function prunedObject(schema: JsonSchema, depth: number): Record<string, unknown> {
  if (depth > depthLimit) throw new Uncheckable();
  const parts = Object.entries(schema).filter(([keyword]) => !ignored.has(keyword));
  if (parts.some(([keyword]) => references.has(keyword))) throw new Uncheckable();
  return Object.fromEntries(parts.map(([keyword, value]) => [keyword, prunedKeyword(keyword, value, depth)]));
}

function prunedKeyword(keyword: string, value: unknown, depth: number): unknown {
  if (keyword === 'properties') return prunedProperties(value, depth);
  // zod reads the whole schema once for each type: a repeated type at each level would double the work at each.
  if (keyword === 'type' && Array.isArray(value)) return [...new Set<unknown>(value)];
  return pruned(value, depth);
}

/** Here the keys are names of properties. */
function prunedProperties(value: unknown, depth: number): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, pruned(schema, depth)]));
}

function pruned(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => pruned(item, depth + 1));
  return isObject(value) ? prunedObject(value, depth + 1) : value;
}
