import { z } from 'zod';
import type { ApprovalRule, ToolsOfRule } from '../../agent/loop/approvals.js';
import { defineTool, type PluginTool, ToolError } from '../api/plugin-tool.js';
import type { Capability } from './capabilities.js';

/** Made once: a schema costs more than the rest of the tool, which each turn has. */
const inputSchema = z.object({ name: z.string().describe('of a tool, or of a capability for all of its tools') });

/**
 * The tool by which a user has themselves be asked: "always ask before …". It only ever adds a question; what takes one back is the
 * user's own to call, and not the model's.
 */
export function askBeforeTool(
  capabilities: readonly Pick<Capability, 'name' | 'tools'>[],
  askBefore: (tools: ToolsOfRule) => Promise<ApprovalRule | undefined>,
): PluginTool {
  return defineTool({
    name: 'ask_before',
    description:
      'Has the user be asked each time before a tool is called, from now on and in all conversations, when they want that ("always ask before …"). ' +
      'You cannot take it back: they do that in their app.',
    effects: 'inside',
    inputSchema,
    execute: async ({ name }) => {
      const isTool = capabilities.some(({ tools }) => tools.some((tool) => tool.name === name));
      if (!isTool && !capabilities.some((capability) => capability.name === name)) {
        throw new ToolError(`There is no tool or capability called ${name}.`);
      }
      const rule = await askBefore(isTool ? { plugin: '*', tool: name } : { plugin: name, tool: '*' });
      if (rule === undefined)
        throw new ToolError('The user has said this of too many tools: they have to take some back.');
      return { asksBefore: name };
    },
  });
}
