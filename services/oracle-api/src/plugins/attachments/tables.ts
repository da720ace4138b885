import type { PluginBoot } from '../api/plugin.js';
import type { PluginTables } from '../api/plugin-storage.js';
import { migrations } from './migrations.js';
import type { AttachmentSettings } from './settings.js';
import { sqlUploadStore } from './sql-upload-store.js';
import type { UploadStore } from './upload-store.js';

/** Where uploaded files are kept. */
export const tables: PluginTables<UploadStore> = {
  names: ['attachment_uploads'],
  migrations,
  open: sqlUploadStore,
};

export type AttachmentBoot = PluginBoot<AttachmentSettings, UploadStore>;
