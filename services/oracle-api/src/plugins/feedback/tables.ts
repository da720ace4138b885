import type { PluginBoot } from '../api/plugin.js';
import type { PluginTables } from '../api/plugin-storage.js';
import type { FeedbackStore } from './feedback-store.js';
import { migrations } from './migrations.js';
import type { FeedbackSettings } from './settings.js';
import { sqlFeedbackStore } from './sql-feedback-store.js';

/** Where feedback is kept. */
export const tables: PluginTables<FeedbackStore> = {
  names: ['feedback'],
  migrations,
  open: sqlFeedbackStore,
};

export type FeedbackBoot = PluginBoot<FeedbackSettings, FeedbackStore, 'sessions:read'>;
