import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type CheckedArgs =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** Schema of a tool's arguments: as JSON for the model, and as a check. */
export interface ToolSchema {
  readonly json: JsonSchema;
  check(args: unknown): CheckedArgs;
}

const problemChars = 500;
const anyObject = z.record(z.string(), z.unknown());

/** Converted once per zod schema, even if each turn creates the tool again. */
const known = new WeakMap<z.ZodType, ToolSchema>();

/** @throws if JSON Schema cannot represent a zod schema. */
export function toolSchema(input: z.ZodType | JsonSchema): ToolSchema {
  if (!(input instanceof z.ZodType)) return readSchema(input);
  const schema = known.get(input) ?? readSchema(input);
  known.set(input, schema);
  return schema;
}

function readSchema(input: z.ZodType | JsonSchema): ToolSchema {
  const isZod = input instanceof z.ZodType;
  const type = isZod ? input : typeOf(input);
  return {
    json: isZod ? z.toJSONSchema(input, { io: 'input' }) : input,
    check(args) {
      const parsed = type.safeParse(args ?? {});
      if (!parsed.success) return { ok: false, problem: describe(parsed.error) };
      const object = anyObject.safeParse(parsed.data);
      return object.success ? { ok: true, args: object.data } : { ok: false, problem: 'must be an object' };
    },
  };
}

/** A schema with keywords that zod does not support is checked by the tool itself. */
function typeOf(json: JsonSchema): z.ZodType {
  const { $schema: _, ...constraints } = json;
  if (Object.keys(constraints).length === 0) return anyObject;
  return zodOf(json) ?? anyObject;
}

/** Whether `toolSchema` checks against a JSON schema, and not only for an object. */
export function isCheckable(json: JsonSchema): boolean {
  return zodOf(json) !== undefined;
}

function zodOf(json: JsonSchema): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(json);
  } catch {
    return undefined;
  }
}

function describe(error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  );
  return problems.join('; ').slice(0, problemChars);
}
