import { byOffset, pageRows } from '../../account/account-data.js';
import { definePlugin } from '../api/define-plugin.js';
import { memoryRoutes } from './routes.js';
import { tables } from './tables.js';
import { forget, memoryResource, recall, remember } from './tools.js';

/** Facts about the user, and artifacts made for them, stored across all sessions and found by full-text search. */
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
  getResources: (boot) => [memoryResource(boot)],
  async *exportUser({ own }, ownerDid) {
    const read = async (offset: number) => (await own.list(ownerDid, { limit: pageRows, offset })).memories;
    for await (const memory of byOffset(read)) yield { kind: 'memories', row: { ...memory } };
  },
  forgetUser: async ({ own }, ownerDid) => ({ deleted: { memories: await own.removeAll(ownerDid) } }),
  getRoutes: (boot) => [(app) => memoryRoutes(app, boot)],
});
