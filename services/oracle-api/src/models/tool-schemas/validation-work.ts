import { entriesPerBranch, jsonSchemaLimits } from '@mlango/schemas/json-schema';
import { isObject } from '@mlango/service-kit/parse-json';

/** Limits for checking the arguments of one call against an untrusted schema. */
export const validationLimits = {
  /** Objects and arrays inside each other. */
  depth: jsonSchemaLimits.depth,
  /** Values of the arguments: objects, arrays, texts, numbers. */
  values: 10_000,
  /** Pairs of a value and a part of the schema that it is checked against: 0.05 to 0.3 s of zod's time. */
  pairs: 20_000,
} as const;

const branchKeywords = ['anyOf', 'oneOf', 'allOf'];
const nestedKeywords = ['not', 'if', 'then', 'else'];
const itemKeywords = ['items', 'additionalItems', 'unevaluatedItems', 'contains'];
const propertyKeywords = ['additionalProperties', 'unevaluatedProperties'];

class OverLimit extends Error {}

/**
 * Explains why the arguments of a call are not checked: `are nested too deep`, `have too many values`, `take too long to check`;
 * undefined if they can be. `pairs` replaces the limit of that name. Computes an upper bound of the work of zod's check, which tries
 * each alternative with each value. Its own time is proportional to the limits.
 */
export function validationProblem(
  schema: unknown,
  args: unknown,
  pairs: number = validationLimits.pairs,
): string | undefined {
  try {
    const size = sizeOf(args);
    if (size.depth > validationLimits.depth) return 'are nested too deep';
    if (size.values > validationLimits.values) return 'have too many values';
    countPairs(schema, args, { left: pairs });
    return undefined;
  } catch (error) {
    if (error instanceof OverLimit) return 'take too long to check';
    throw error;
  }
}

/** Counts the values of JSON and their depth; stops if either is over its limit. */
function sizeOf(root: unknown): { readonly values: number; readonly depth: number } {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  let values = 0;
  let deepest = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    values += 1;
    deepest = Math.max(deepest, depth);
    if (values + open.length > validationLimits.values || deepest > validationLimits.depth) break;
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value)) open.push({ value: part, depth: depth + 1 });
  }
  return { values: values + open.length, depth: deepest };
}

/** Subtracts the cost of each pair from `budget`. Both trees are finite and at most `depth` deep. */
function countPairs(schema: unknown, value: unknown, budget: { left: number }): void {
  take(budget, 1);
  if (!isObject(schema)) return;
  take(budget, entriesOf(schema));
  const branches = branchKeywords.flatMap((keyword) => listOf(schema[keyword]));
  // The result of each branch may be merged into another one, value by value.
  const mergedValues = branches.length === 0 ? 0 : sizeOf(value).values;
  for (const branch of branches) {
    take(budget, mergedValues);
    countPairs(branch, value, budget);
  }
  for (const keyword of nestedKeywords) if (isObject(schema[keyword])) countPairs(schema[keyword], value, budget);
  if (Array.isArray(value)) countItems(schema, value, budget);
  else if (isObject(value)) countProperties(schema, value, budget);
}

function countItems(schema: Record<string, unknown>, values: readonly unknown[], budget: { left: number }): void {
  if (schema['uniqueItems'] === true) take(budget, sizeOf(values).values);
  const places = [...listOf(schema['prefixItems']), ...listOf(schema['items'])];
  for (const [at, place] of places.entries()) if (at < values.length) countPairs(place, values[at], budget);
  for (const keyword of itemKeywords) {
    const items = schema[keyword];
    if (isObject(items)) for (const value of values) countPairs(items, value, budget);
  }
}

function countProperties(
  schema: Record<string, unknown>,
  value: Record<string, unknown>,
  budget: { left: number },
): void {
  const { properties } = schema;
  if (isObject(properties)) {
    take(budget, Object.keys(properties).length);
    for (const [name, property] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) countPairs(property, value[name], budget);
    }
  }
  for (const keyword of propertyKeywords) {
    const others = schema[keyword];
    if (isObject(others)) for (const part of Object.values(value)) countPairs(others, part, budget);
  }
}

function entriesOf(schema: Record<string, unknown>): number {
  const entries = listOf(schema['enum']);
  const isSet = entries.every((entry) => typeof entry === 'string');
  return Math.ceil(entries.length / (isSet ? entriesPerBranch : 1)) + listOf(schema['type']).length;
}

function take(budget: { left: number }, pairs: number): void {
  budget.left -= pairs;
  if (budget.left < 0) throw new OverLimit();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
