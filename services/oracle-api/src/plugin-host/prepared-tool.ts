import { jsonSchemaProblem } from '@mlango/schemas/json-schema';
import { z } from 'zod';
import type { ModelTool } from '../models/language-model.js';
import type { OraclePlugin } from '../plugin-kit/plugin.js';
import { PluginError } from '../plugin-kit/plugin-error.js';
import type { PluginTool } from '../plugin-kit/plugin-tool.js';
import { foreignSchema } from './foreign-schema.js';
import { toldOf } from './told-of-tool.js';
import { type ToolSchema, toolSchema } from './tool-schema.js';

/** A tool whose name and schema are known to be usable. */
export interface PreparedTool {
  /** Name of the plugin, and which version of it. */
  readonly owner: string;
  readonly version: string;
  readonly tool: PluginTool;
  readonly schema: ToolSchema;
  /** What models are told of it, the same in all turns. */
  readonly told: ModelTool;
}

/** What models accept. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws PluginError */
export function prepareTool(plugin: Pick<OraclePlugin, 'name' | 'version'>, tool: PluginTool): PreparedTool {
  const { name: owner, version } = plugin;
  const { inputSchema } = tool;
  if (tool.isForeign === true && !(inputSchema instanceof z.ZodType)) {
    const problem = jsonSchemaProblem(inputSchema);
    if (problem !== undefined) throw new PluginError(`the input schema of the tool "${tool.name}" ${problem}`);
    return prepared({ owner, version, tool, schema: foreignSchema(inputSchema) });
  }
  if (!namePattern.test(tool.name)) {
    throw new PluginError(`"${tool.name}" is no name for a tool: 1 to 64 letters, digits, _ or -`);
  }
  if (tool.description.trim() === '') throw new PluginError(`the tool "${tool.name}" has no description`);
  return prepared({ owner, version, tool, schema: toolSchema(inputSchema) });
}

function prepared(tool: Omit<PreparedTool, 'told'>): PreparedTool {
  return { ...tool, told: Object.freeze(toldOf(tool)) };
}
