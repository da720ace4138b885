import { definePlugin } from '../../plugin-kit/define-plugin.js';
import { forget } from './forget.js';
import { recall } from './recall.js';
import { remember } from './remember.js';
import { memoryRoutes } from './routes.js';
import { tables } from './tables.js';

/** Facts about the user, and artifacts made for them, kept over all sessions and found by their words. */
export const memory = definePlugin({
  name: 'memory',
  version: '1.0.0',
  manifest: {
    title: 'Memory',
    summary: 'Keeps facts about the user and things made for them, over all conversations.',
    whenToUse: 'the user asks to remember or forget something, or an answer depends on what they said before.',
    visibility: 'always',
  },
  tables,
  getTools: (boot) => [remember(boot), recall(boot), forget(boot)],
  getRoutes: (boot) => [(app) => memoryRoutes(app, boot)],
});
