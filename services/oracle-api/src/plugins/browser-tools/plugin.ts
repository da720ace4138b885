import type { DeclaredTool } from '../../chat/declared-tools.js';
import { definePlugin } from '../define-plugin.js';
import type { PluginTool } from '../plugin-tool.js';
import { resultOf } from '../result-of.js';

/** Longer than any tab is waited for: how long that is says `FRONTEND_TOOL_TIMEOUT_MS`. */
const timeoutMs = 150_000;

/** Tools that the user's tab declares with a message, and answers. */
export const browserTools = definePlugin({
  name: 'browser-tools',
  version: '1.0.0',
  manifest: {
    title: 'Browser tools',
    summary: "Tools that run in the user's browser.",
    whenToUse: 'one of them fits what the user asks for.',
    visibility: 'always',
  },
  getRequestTools: ({ declared }) => declared.tools.map(browserTool),
});

function browserTool({ name, description, schema }: DeclaredTool): PluginTool {
  return {
    name,
    description,
    inputSchema: schema,
    isForeign: true,
    timeoutMs,
    execute: async (args, { emit, toolCallId }) =>
      resultOf(await emit.browserToolCall({ toolName: name, args, toolCallId })),
  };
}
