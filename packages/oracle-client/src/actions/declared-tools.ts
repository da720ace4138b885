import type { IBrowserTool } from '../chat/chat-options.js';
import type { MountedAction } from './action.js';
import { jsonSchemaOf } from './json-schema.js';
import type { JsonSchema } from './tool-schema.js';

export interface Declared {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly hasRender?: boolean;
}

/** What a message tells the agent of this tab; nothing of what there is nothing of. */
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
