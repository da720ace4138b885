import { definePlugin } from '../api/define-plugin.js';
import { userPreferenceRoutes } from './routes.js';
import { setUserPreferences } from './set-user-preferences.js';

/**
 * The user's preferences for answers: set in conversation, applied from the next message on, in every session or in those of one
 * room.
 */
export const userPreferencesPlugin = definePlugin({
  name: 'user-preferences',
  version: '1.0.0',
  manifest: {
    title: 'Preferences',
    summary: 'Keeps how the user wants to be talked to: names, language, tone, length and format of answers.',
    whenToUse: 'the user asks to be called something, to call you something, or to be answered differently.',
    visibility: 'always',
    needs: ['preferences:write'],
  },
  getTools: (boot) => [setUserPreferences(boot)],
  getRoutes: (boot) => [(app) => userPreferenceRoutes(app, boot)],
});
