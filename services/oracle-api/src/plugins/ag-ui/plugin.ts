import { definePlugin } from '../api/define-plugin.js';
import { tabTool } from '../api/plugin-tool.js';

/** Actions that the user's tab declares with a message, runs, and may render. */
export const agUi = definePlugin({
  name: 'ag-ui',
  version: '1.0.0',
  manifest: {
    title: 'Actions',
    summary: 'Actions in the page that the user has open, which may show something there.',
    whenToUse: 'one of them fits what the user asks for.',
    visibility: 'always',
  },
  // If a tool and an action have one name, the tool is called.
  softDependsOn: ['browser-tools'],
  getRequestTools: ({ declared }) =>
    declared.actions.map((action) => tabTool(action, 'action', (emit, call) => emit.actionCall(call))),
});
