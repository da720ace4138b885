import type { ModelTool } from '../../models/language-model.js';
import type { PluginTool } from '../api/plugin-tool.js';
import { shapeOf } from './shape-of.js';
import type { ToolSchema } from './tool-schema.js';

interface DescribedTool {
  readonly owner: string;
  readonly tool: PluginTool;
  readonly schema: ToolSchema;
}

/**
 * What a model is told of a tool. Of one that somebody else has described, nothing is said outside the quotation of their words but its
 * name and the shape of what it takes.
 */
export function toldOf({ owner, tool, schema }: DescribedTool): ModelTool {
  const { name, description, theirWords } = tool;
  if (tool.isForeign !== true) {
    return { name, description, ...(theirWords === undefined ? {} : { theirWords }), schema: schema.json };
  }
  const shape = shapeOf(schema.json);
  const [told, shown] = [JSON.stringify(schema.json), JSON.stringify(shape)];
  return {
    name,
    description: `Of ${owner}; somebody else has named and described it.`,
    theirWords: told === shown ? description : `${description}\nWhat it takes, in their words: ${told}`,
    schema: shape,
  };
}
