import type { PluginBoot } from '../api/plugin.js';
import type { PluginTables } from '../api/plugin-storage.js';
import { migrations } from './migrations.js';
import type { RecallStore } from './recall-store.js';
import { sqlRecallStore } from './sql-recall-store.js';

/** Where memories are kept. */
export const tables: PluginTables<RecallStore> = {
  names: ['memories'],
  migrations,
  open: sqlRecallStore,
};

export type MemoryBoot = PluginBoot<Readonly<Record<string, unknown>>, RecallStore>;
