import type { TabCall } from '../../agent/prompt/emit.js';
import type { ModelTool } from '../../models/language-model.js';
import type { PluginTool, ToolContext } from './plugin-tool.js';
import { resultOf } from './result-of.js';
import type { ToolAnswer } from './runtime-context.js';

/** Longer than any tab is waited for: how long that is says `FRONTEND_TOOL_TIMEOUT_MS`. */
const timeoutMs = 150_000;

/** Something that a tab has declared, as a tool: `ask` has the tab do it. */
export function tabTool(
  { name, description, schema }: ModelTool,
  kind: NonNullable<PluginTool['kind']>,
  ask: (emit: ToolContext['emit'], call: TabCall) => Promise<ToolAnswer>,
): PluginTool {
  return {
    kind,
    name,
    description,
    inputSchema: schema,
    isForeign: true,
    isOfClient: true,
    // It happens in the user's own page, before their eyes.
    effects: 'inside',
    timeoutMs,
    execute: async (args, { emit, toolCallId }) => resultOf(await ask(emit, { toolName: name, args, toolCallId })),
  };
}
