import { definePlugin } from '../api/define-plugin.js';
import { tabTool } from '../api/plugin-tool.js';

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
  getRequestTools: ({ declared }) =>
    declared.tools.map((tool) => tabTool(tool, 'tool', (emit, call) => emit.browserToolCall(call))),
});
