import { z } from 'zod';

/** Limits of an external JSON Schema (of a client's tool, of another server's tool). */
export const jsonSchemaLimits = {
  /** Objects and arrays inside each other; a property takes two. */
  depth: 64,
  /** Values of the schema: objects, arrays, texts, numbers. */
  values: 5_000,
  /** Branches of `anyOf`, `oneOf` and `allOf`, and entries of `enum` and `type`, each sixteen of which count as one branch. */
  alternatives: 1_000,
} as const;

const branchKeywords = new Set(['anyOf', 'oneOf', 'allOf']);
const entryKeywords = new Set(['enum', 'type']);

/** Entries of an `enum` with the same cost as one branch. */
export const entriesPerBranch = 16;

/**
 * Why an external schema is refused: `is nested too deep`, `has too many values`, `has too many alternatives`; undefined for a
 * usable one. Takes time in proportion to `jsonSchemaLimits` for any schema.
 */
export function jsonSchemaProblem(schema: unknown): string | undefined {
  const open: { readonly value: unknown; readonly keyword: string; readonly depth: number }[] = [
    { value: schema, keyword: '', depth: 0 },
  ];
  let values = 0;
  let alternatives = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, keyword, depth } = next;
    values += 1;
    if (values + open.length > jsonSchemaLimits.values) return 'has too many values';
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= jsonSchemaLimits.depth) return 'is nested too deep';
    alternatives += alternativesOf(keyword, value);
    if (alternatives > jsonSchemaLimits.alternatives) return 'has too many alternatives';
    for (const [name, part] of Object.entries(value)) open.push({ value: part, keyword: name, depth: depth + 1 });
  }
  return undefined;
}

function alternativesOf(keyword: string, value: object): number {
  if (!Array.isArray(value)) return 0;
  if (branchKeywords.has(keyword)) return value.length;
  return entryKeywords.has(keyword) ? Math.ceil(value.length / entriesPerBranch) : 0;
}

/** A JSON Schema that a client declares, within `jsonSchemaLimits`. */
export const jsonSchemaObject = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const message = jsonSchemaProblem(schema);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .describe('JSON Schema; an empty one allows any object');
