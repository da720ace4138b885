/** What zod 3.25, zod 4 and other validators have in common: https://standardschema.dev. */
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

/** JSON Schema of an object, as it is sent. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The arguments of a tool: a schema of zod 3.25 or zod 4, which also checks them, or plain JSON Schema. */
export type ToolSchema = CheckingSchema | JsonSchema;

/** What a handler is given for a schema. */
export type ArgsOf<Schema> = Schema extends CheckingSchema<infer Output> ? Output : Readonly<Record<string, unknown>>;
