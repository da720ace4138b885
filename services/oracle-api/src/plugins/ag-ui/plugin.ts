import type { DeclaredAction } from '../../chat/declared-tools.js';
import { definePlugin } from '../define-plugin.js';
import type { PluginTool } from '../plugin-tool.js';
import { resultOf } from '../result-of.js';

/** Longer than any tab is waited for: how long that is says `FRONTEND_TOOL_TIMEOUT_MS`. */
const timeoutMs = 150_000;

/** Actions that the user's tab declares with a message, does, and may render. */
export const agUi = definePlugin({
  name: 'ag-ui',
  version: '1.0.0',
  manifest: {
    title: 'Actions',
    summary: 'Actions in the page that the user has open, which may show something there.',
    whenToUse: 'one of them fits what the user asks for.',
    visibility: 'always',
  },
  // Of a tool and an action of one name it is the tool that is called.
  softDependsOn: ['browser-tools'],
  getRequestTools: ({ declared }) => declared.actions.map(action),
});

function action({ name, description, schema }: DeclaredAction): PluginTool {
  return {
    kind: 'action',
    name,
    description,
    inputSchema: schema,
    isForeign: true,
    timeoutMs,
    execute: async (args, { emit, toolCallId }) =>
      resultOf(await emit.actionCall({ toolName: name, args, toolCallId })),
  };
}
