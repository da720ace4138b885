/** The common interface of zod from 3.24 on and other validators: https://standardschema.dev. */
export interface CheckingSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => CheckResult<Output> | Promise<CheckResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export type CheckResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

/** The interface of zod before 3.24. */
export interface ParsingSchema<Output = unknown> {
  readonly _def: object;
  readonly _output: Output;
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: Output };
  readonly safeParseAsync: (value: unknown) => Promise<{
    readonly success: boolean;
    readonly data?: Output;
    readonly error?: { readonly issues: readonly { readonly message: string; readonly path: readonly unknown[] }[] };
  }>;
}

/** JSON Schema of an object, as transmitted. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The arguments of a tool: a schema of zod from 3.22 on, which also checks them, or plain JSON Schema. */
export type ToolSchema = CheckingSchema | ParsingSchema | JsonSchema;

/** The argument type of a handler for a schema. */
export type ArgsOf<Schema> = Schema extends CheckingSchema<infer Output> | ParsingSchema<infer Output>
  ? Output
  : Readonly<Record<string, unknown>>;

/** The arguments parsed by a schema. Rejects with the problems. Plain JSON Schema is checked by the oracle only. */
export async function checkArgs(schema: ToolSchema, args: unknown): Promise<unknown> {
  const values = args ?? {};
  if (!isChecking(schema)) return values;
  const checked = await ('~standard' in schema ? schema['~standard'].validate(values) : parsed(schema, values));
  if (checked.issues === undefined) return checked.value;
  const problems = checked.issues.map(({ message, path = [] }) => [path.map(keyOf).join('.'), message]);
  const text = problems.map((problem) => problem.filter((part) => part !== '').join(': ')).join('; ');
  throw new TypeError(`The arguments do not fit: ${text}`);
}

export function isChecking(schema: ToolSchema): schema is CheckingSchema | ParsingSchema {
  return typeof schema === 'object' && ('~standard' in schema || typeof schema['safeParseAsync'] === 'function');
}

async function parsed(schema: ParsingSchema, values: unknown): Promise<CheckResult<unknown>> {
  const { data, error } = await schema.safeParseAsync(values);
  return error === undefined ? { value: data } : { issues: error.issues };
}

/** A part of a path is a key, or an object with one. */
function keyOf(part: unknown): string {
  return typeof part === 'object' && part !== null && 'key' in part ? String(part.key) : String(part);
}

/**
 * A value parsed by a schema; undefined for an invalid one, or if it cannot be checked synchronously. Plain JSON Schema checks
 * nothing.
 */
export function valueFor(schema: ToolSchema, value: unknown): { readonly value: unknown } | undefined {
  if (!isChecking(schema)) return { value };
  if ('~standard' in schema) {
    const checked = schema['~standard'].validate(value);
    return checked instanceof Promise || checked.issues !== undefined ? undefined : { value: checked.value };
  }
  const { success, data } = schema.safeParse(value);
  return success ? { value: data } : undefined;
}
