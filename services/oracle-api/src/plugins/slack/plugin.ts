import { definePlugin } from '../api/define-plugin.js';
import { slackRoutes } from './routes.js';
import { slackSettings } from './settings.js';

/** The oracle as a member of a Slack workspace: mentions and direct messages, answered in their threads. */
export const slack = definePlugin({
  name: 'slack',
  version: '1.0.0',
  manifest: {
    title: 'Slack',
    summary: 'Answers mentions and direct messages in Slack, in their threads.',
    whenToUse: 'never by the model: it is a way in.',
    visibility: 'silent',
  },
  configSchema: slackSettings,
  autoDetect: (env) => (env['SLACK_SIGNING_SECRET'] ?? '') !== '',
  getRoutes: (boot) => [(app) => slackRoutes(app, boot)],
  // Slack sends a signature instead of a user's token.
  getAuthExcludedRoutes: () => [{ method: 'POST', path: '/slack/events' }],
});
