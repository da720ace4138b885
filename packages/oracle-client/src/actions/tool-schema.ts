/** What zod from 3.24 on and other validators have in common: https://standardschema.dev. */
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

/** What zod before 3.24 checks with. */
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

/** JSON Schema of an object, as it is sent. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The arguments of a tool: a schema of zod from 3.22 on, which also checks them, or plain JSON Schema. */
export type ToolSchema = CheckingSchema | ParsingSchema | JsonSchema;

/** What a handler is given for a schema. */
export type ArgsOf<Schema> = Schema extends CheckingSchema<infer Output> | ParsingSchema<infer Output>
  ? Output
  : Readonly<Record<string, unknown>>;
