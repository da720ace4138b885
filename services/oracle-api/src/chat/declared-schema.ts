import { type CheckedArgs, toolSchema } from '../plugins/tool-schema.js';

type Json = Readonly<Record<string, unknown>>;

/** How deep a schema may be nested to be checked; the tab may check any. */
const depthLimit = 20;

/** Words that a client must not have run here: patterns can be made to take for ever, references to go in circles. */
const left = new Set(['pattern', 'patternProperties', 'propertyNames', 'format', '$schema', '$id', '$anchor']);
const references = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

class Uncheckable extends Error {}

/** Checks arguments against a schema that a client has declared, as far as that can be done without trusting the client. */
export function checkDeclared(schema: Json, args: Json): CheckedArgs {
  try {
    return toolSchema(prunedObject(schema, 0)).check(args);
  } catch (error) {
    if (error instanceof Uncheckable) return { ok: true, args };
    throw error;
  }
}

function prunedObject(schema: Json, depth: number): Record<string, unknown> {
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

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
