import type { $ZodType } from 'zod/v4/core';
import { isChecking } from './check-args.js';
import type { JsonSchema, ToolSchema } from './tool-schema.js';

const converted = new WeakMap<object, JsonSchema>();

/** The JSON Schema of what a tool takes. A part that JSON Schema cannot say allows anything: the tab checks it. */
export async function jsonSchemaOf(schema: ToolSchema): Promise<JsonSchema> {
  const known = converted.get(schema);
  if (known !== undefined) return known;
  const made = await convert(schema);
  converted.set(schema, made);
  return made;
}

async function convert(schema: ToolSchema): Promise<JsonSchema> {
  if (!isChecking(schema)) return schema;
  // What zod 4 makes has `_zod`, what zod 3 makes has `_def` alone.
  // Converters are of our own zod, whichever the page has, and loaded by pages with such schemas alone.
  if ('_zod' in schema) {
    const { toJSONSchema } = await import('zod/v4/core');
    return toJSONSchema(schema as unknown as $ZodType, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  }
  if (!('_def' in schema)) throw new TypeError('A tool takes a schema of zod, or JSON Schema');
  const { zodToJsonSchema } = await import('zod-to-json-schema');
  return zodToJsonSchema(schema as never, { $refStrategy: 'none' }) as JsonSchema;
}
