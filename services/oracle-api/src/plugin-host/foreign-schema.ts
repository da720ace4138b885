import type { JsonSchema } from '../plugin-kit/plugin-tool.js';
import { type CheckedArgs, type ToolSchema, toolSchema } from './tool-schema.js';

/** How deep a schema may be nested to be checked; whoever made it may check any. */
const depthLimit = 20;

/** Words that a stranger must not have run here: patterns can be made to take for ever, references to go in circles. */
const left = new Set(['pattern', 'patternProperties', 'propertyNames', 'format', '$schema', '$id', '$anchor']);
const references = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

class Uncheckable extends Error {}

/** The schema of a stranger: shown to the model as it is, and checked as far as that can be done without trusting them. */
export function foreignSchema(schema: JsonSchema): ToolSchema {
  return { json: schema, check: (args) => check(schema, args ?? {}) };
}

function check(schema: JsonSchema, args: unknown): CheckedArgs {
  if (!isObject(args)) return { ok: false, problem: 'must be an object' };
  try {
    const checked = toolSchema(prunedObject(schema, 0)).check(args);
    return checked.ok ? { ok: true, args } : checked;
  } catch (error) {
    if (error instanceof Uncheckable) return { ok: true, args };
    throw error;
  }
}

function prunedObject(schema: JsonSchema, depth: number): Record<string, unknown> {
  if (depth > depthLimit) throw new Uncheckable();
  const kept = Object.entries(schema).filter(([word]) => !left.has(word));
  if (kept.some(([word]) => references.has(word))) throw new Uncheckable();
  return Object.fromEntries(
    kept.map(([word, value]) => [word, word === 'properties' ? prunedProperties(value, depth) : pruned(value, depth)]),
  );
}

/** Here the words are names of fields. */
function prunedProperties(value: unknown, depth: number): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, pruned(schema, depth)]));
}

function pruned(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => pruned(item, depth + 1));
  return isObject(value) ? prunedObject(value, depth + 1) : value;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
