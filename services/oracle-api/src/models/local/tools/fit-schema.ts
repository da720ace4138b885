import { z } from 'zod';

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
 * The object with all that its schema requires: the smallest values of their types, and the text for strings. It is made for tests and
 * demos: keywords such as lengths and references are not followed. Pure.
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
