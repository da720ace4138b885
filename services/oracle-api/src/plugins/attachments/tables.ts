import type { PluginBoot } from '../api/plugin.js';
import type { PluginMigration, PluginTables } from '../api/plugin-storage.js';
import type { AttachmentSettings } from './settings.js';
import { UploadStore } from './upload-store.js';

/** Migrations of the tables in `schema.ts`. A released migration is never changed. */
const migrations: readonly PluginMigration[] = [
  {
    name: '0000_attachment_uploads',
    sql: [
      `CREATE TABLE IF NOT EXISTS attachment_uploads (
        attachment_id text PRIMARY KEY NOT NULL,
        owner_did text NOT NULL,
        session_id text NOT NULL,
        filename text NOT NULL,
        media_type text NOT NULL,
        size_bytes integer NOT NULL,
        created_at timestamp (3) with time zone NOT NULL,
        expires_at timestamp (3) with time zone NOT NULL,
        bytes bytea NOT NULL,
        CONSTRAINT attachment_uploads_session_fk FOREIGN KEY (owner_did,session_id) REFERENCES sessions(owner_did,session_id) ON DELETE cascade
      )`,
      `CREATE INDEX IF NOT EXISTS attachment_uploads_owner_idx ON attachment_uploads USING btree (owner_did,session_id)`,
      `CREATE INDEX IF NOT EXISTS attachment_uploads_expiry_idx ON attachment_uploads USING btree (expires_at)`,
    ],
  },
];

/** Tables of uploaded files. */
export const tables: PluginTables<UploadStore> = {
  names: ['attachment_uploads'],
  migrations,
  open: (db) => new UploadStore(db),
};

export type AttachmentBoot = PluginBoot<AttachmentSettings, UploadStore>;
