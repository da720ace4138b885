import { jsonSchemaProblem } from '@mlango/schemas/json-schema';
import { z } from 'zod';
import type { ModelTool } from '../../../models/language-model.js';
import type { JsonSchema } from '../../../models/tool-schemas/tool-schema.js';
import { type ToolSchema, toolSchema } from '../../../models/tool-schemas/tool-schema.js';
import { untrustedSchema, withItems } from '../../../models/tool-schemas/untrusted-schema.js';
import type { OraclePlugin } from '../../api/plugin.js';
import { PluginError } from '../../api/plugin-error.js';
import { type PluginTool, toolEffects } from '../../api/plugin-tool.js';
import { modelToolOf } from './tool-description.js';

/** A tool with a valid name and schema. */
export interface PreparedTool {
  /** Name and version of the plugin. */
  readonly owner: string;
  readonly version: string;
  readonly tool: PluginTool;
  readonly schema: ToolSchema;
  /** The tool as models receive it, the same in all turns. */
  readonly modelTool: ModelTool;
}

/** Names that models accept. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws PluginError naming the tool, the problem and the remedy. */
export function prepareTool(plugin: Pick<OraclePlugin, 'name' | 'version'>, tool: PluginTool): PreparedTool {
  const { name: owner, version } = plugin;
  const problem = problemOf(tool);
  if (problem !== undefined) throw new PluginError(`the tool "${String(tool.name)}" ${problem}`);
  const { inputSchema } = tool;
  if (tool.isForeign === true && !(inputSchema instanceof z.ZodType)) {
    const misfit = jsonSchemaProblem(inputSchema);
    if (misfit !== undefined) throw new PluginError(`the input schema of the tool "${tool.name}" ${misfit}`);
    return prepared({ owner, version, tool, schema: untrustedSchema(withItems(inputSchema)) });
  }
  if (!namePattern.test(tool.name)) {
    throw new PluginError(`"${tool.name}" is not a valid tool name: 1 to 64 letters, digits, _ or -`);
  }
  if (tool.description.trim() === '') throw new PluginError(`the tool "${tool.name}" has no description`);
  const schema = toolSchema(inputSchema);
  if (!takesObject(schema.json)) {
    throw new PluginError(`the tool "${tool.name}" does not take an object: use inputSchema: z.object({ … })`);
  }
  return prepared({ owner, version, tool, schema });
}

/** Finds a problem of a tool from JavaScript, as a text that follows the tool's name. */
function problemOf(tool: PluginTool): string | undefined {
  const { name, description, inputSchema, effects = 'outside', timeoutMs = 1 } = tool;
  if (typeof name !== 'string') return 'has no name: add name';
  if (typeof description !== 'string') return 'has no description: describe what it does and when to call it';
  if (typeof tool.execute !== 'function') return 'has no execute: add execute(args, context)';
  if (typeof inputSchema !== 'object' || inputSchema === null) {
    return 'has no inputSchema: use z.object({ … }), or z.object({}) for a tool that takes nothing';
  }
  if ('_def' in inputSchema && !(inputSchema instanceof z.ZodType)) {
    return 'has a schema of another version of zod: install zod 4, the version of the oracle';
  }
  if (typeof effects !== 'function' && !toolEffects.includes(effects)) {
    return `has unknown effects "${String(effects)}": use ${toolEffects.join(', ')}`;
  }
  const isTime = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs < 2 ** 31;
  return isTime ? undefined : 'has a timeoutMs that is not a positive number of milliseconds';
}

/** Whether a schema permits an object, as a schema without a type does. */
function takesObject({ type = 'object', anyOf, oneOf }: JsonSchema): boolean {
  const branches = [anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []));
  if (branches.length > 0 && !branches.some((one: JsonSchema) => takesObject(one))) return false;
  return [type].flat().includes('object');
}

function prepared(tool: Omit<PreparedTool, 'modelTool'>): PreparedTool {
  return { ...tool, modelTool: Object.freeze(modelToolOf(tool)) };
}
