import type { $ZodType } from 'zod/v4/core';
import type { IBrowserTool } from '../chat-options.js';
import type { MountedAction } from './action.js';
import { isChecking, type JsonSchema, type ToolSchema } from './tool-schema.js';

export interface Declared {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly hasRender?: boolean;
}

/** The tools and actions of this tab as sent with a message; empty lists are left out. */
export async function declaredTools(
  tools: readonly IBrowserTool[],
  actions: readonly MountedAction[],
): Promise<{ readonly tools?: readonly Declared[]; readonly agActions?: readonly Declared[] }> {
  const declared = await Promise.all(
    tools.map(async ({ toolName: name, description, schema }) => ({
      name,
      description,
      schema: await jsonSchemaOf(schema),
    })),
  );
  const agActions = await Promise.all(
    actions.map(async ({ name, description, parameters, render }) => ({
      name,
      description,
      schema: await jsonSchemaOf(parameters),
      hasRender: render !== undefined,
    })),
  );
  return {
    ...(declared.length === 0 ? {} : { tools: declared }),
    ...(agActions.length === 0 ? {} : { agActions }),
  };
}

const converted = new WeakMap<object, JsonSchema>();

/** The JSON Schema of a tool's arguments. Parts that JSON Schema cannot express allow anything: the tab checks them. */
export async function jsonSchemaOf(schema: ToolSchema): Promise<JsonSchema> {
  const known = converted.get(schema);
  if (known !== undefined) return known;
  const made = await convert(schema);
  converted.set(schema, made);
  return made;
}

async function convert(schema: ToolSchema): Promise<JsonSchema> {
  if (!isChecking(schema)) return schema;
  // Schemas of zod 4 have `_zod`, schemas of zod 3 only `_def`. The converters belong to this package's own zod, for any version
  // in the page, and are loaded only for such schemas.
  if ('_zod' in schema) {
    const { toJSONSchema } = await import('zod/v4/core');
    return toJSONSchema(schema as unknown as $ZodType, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  }
  if (!('_def' in schema)) throw new TypeError('A tool takes a schema of zod, or JSON Schema');
  const { zodToJsonSchema } = await import('zod-to-json-schema');
  return zodToJsonSchema(schema as never, { $refStrategy: 'none' }) as JsonSchema;
}
