import type { IBrowserTool } from '../chat/chat-options.js';
import type { MountedAction } from './action.js';
import { jsonSchemaOf } from './json-schema.js';
import type { JsonSchema } from './tool-schema.js';

interface Declared {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** What a message tells the agent of this tab; nothing of what there is nothing of. */
export function declaredTools(
  tools: readonly IBrowserTool[],
  actions: readonly MountedAction[],
): { readonly tools?: readonly Declared[]; readonly agActions?: readonly Declared[] } {
  const asTools = tools.map(({ toolName: name, description, schema }) => ({
    name,
    description,
    schema: jsonSchemaOf(schema),
  }));
  const asActions = actions.map(({ name, description, parameters, render }) => ({
    name,
    description,
    schema: jsonSchemaOf(parameters),
    hasRender: render !== undefined,
  }));
  return {
    ...(asTools.length === 0 ? {} : { tools: asTools }),
    ...(asActions.length === 0 ? {} : { agActions: asActions }),
  };
}
