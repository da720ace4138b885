import type { z } from 'zod';

/**
 * A body schema with an example request for the API docs. Not as `examples` of the schema, which are omitted for schemas with
 * transforms.
 */
export function withExample<Schema extends z.ZodType>(schema: Schema, value: unknown): Schema {
  return schema.meta({ 'x-examples': { example: { value } } });
}
