import type { z } from 'zod';

/**
 * The schema of a body with a request that the description shows and that can be sent as it is. Not as `examples` of the schema: those are
 * left out of one that changes what it reads.
 */
export function withExample<Schema extends z.ZodType>(schema: Schema, value: unknown): Schema {
  return schema.meta({ 'x-examples': { example: { value } } });
}
