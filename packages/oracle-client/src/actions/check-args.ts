import type { CheckingSchema, CheckResult, ParsingSchema, ToolSchema } from './tool-schema.js';

/** The arguments as a schema makes them. Rejects with what is wrong. Plain JSON Schema is checked by the oracle alone. */
export async function checkArgs(schema: ToolSchema, args: unknown): Promise<unknown> {
  const given = args ?? {};
  if (!isChecking(schema)) return given;
  const checked = await ('~standard' in schema ? schema['~standard'].validate(given) : parsed(schema, given));
  if (checked.issues === undefined) return checked.value;
  const problems = checked.issues.map(({ message, path = [] }) => [path.map(keyOf).join('.'), message]);
  const text = problems.map((problem) => problem.filter((part) => part !== '').join(': ')).join('; ');
  throw new TypeError(`The arguments do not fit: ${text}`);
}

export function isChecking(schema: ToolSchema): schema is CheckingSchema | ParsingSchema {
  return typeof schema === 'object' && ('~standard' in schema || typeof schema['safeParseAsync'] === 'function');
}

async function parsed(schema: ParsingSchema, given: unknown): Promise<CheckResult<unknown>> {
  const { data, error } = await schema.safeParseAsync(given);
  return error === undefined ? { value: data } : { issues: error.issues };
}

/** A part of a path is a key, or an object with one. */
function keyOf(part: unknown): string {
  return typeof part === 'object' && part !== null && 'key' in part ? String(part.key) : String(part);
}
