import { isChecking } from './check-args.js';
import type { ToolSchema } from './tool-schema.js';

/** A value as a schema makes it; undefined for one that does not fit, or cannot be checked at once. Plain JSON Schema checks nothing. */
export function fitting(schema: ToolSchema, value: unknown): { readonly value: unknown } | undefined {
  if (!isChecking(schema)) return { value };
  if ('~standard' in schema) {
    const checked = schema['~standard'].validate(value);
    return checked instanceof Promise || checked.issues !== undefined ? undefined : { value: checked.value };
  }
  const { success, data } = schema.safeParse(value);
  return success ? { value: data } : undefined;
}
