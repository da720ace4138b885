import { inPages, pageRows } from '../../account/account-data.js';
import { definePlugin } from '../api/define-plugin.js';
import type { Feedback } from './feedback-store.js';
import { feedbackRoutes, operatorRoutes } from './routes.js';
import { feedbackSettings } from './settings.js';
import { tables } from './tables.js';

/** Users' feedback on answers, for the operator. */
export const feedback = definePlugin({
  name: 'feedback',
  version: '1.0.0',
  manifest: {
    title: 'Feedback',
    summary: 'Keeps what users think of answers: thumbs, reasons and a comment.',
    whenToUse: 'never by the model: it is between the user and the operator of the oracle.',
    visibility: 'silent',
    // Rows reference the user's sessions and are deleted with them.
    needs: ['sessions:read'],
  },
  configSchema: feedbackSettings,
  tables,
  async *exportUser({ own }, ownerDid) {
    const read = (after: Feedback | undefined) => own.list(ownerDid, { limit: pageRows, after });
    for await (const feedback of inPages(read)) yield { kind: 'ratings', row: { ...feedback } };
  },
  forgetUser: async ({ own }, ownerDid) => ({ deleted: { ratings: await own.removeAll(ownerDid) } }),
  getRoutes: (boot) => [(app) => feedbackRoutes(app, boot), (app) => operatorRoutes(app, boot)],
  // This route has a separate guard, which requires the operator token instead of a user's token.
  getAuthExcludedRoutes: () => [{ method: 'GET', path: '/feedback' }],
});
