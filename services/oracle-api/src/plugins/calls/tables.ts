import type { PluginBoot } from '../api/plugin.js';
import type { PluginTables } from '../api/plugin-storage.js';
import type { CallStore } from './call-store.js';
import { migrations } from './migrations.js';
import type { CallSettings } from './settings.js';
import { sqlCallStore } from './sql-call-store.js';

/** Where calls are kept. */
export const tables: PluginTables<CallStore> = {
  names: ['calls', 'call_participants'],
  migrations,
  open: sqlCallStore,
};

export type CallBoot = PluginBoot<CallSettings, CallStore>;
