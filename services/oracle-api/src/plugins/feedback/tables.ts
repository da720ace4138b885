import type { PluginBoot } from '../api/plugin.js';
import type { PluginMigration, PluginTables } from '../api/plugin-storage.js';
import { FeedbackStore } from './feedback-store.js';

import type { FeedbackSettings } from './settings.js';

/** Migrations of the tables in `schema.ts`. A released migration is never changed. */
const migrations: readonly PluginMigration[] = [
  {
    name: '0000_feedback',
    sql: [
      `CREATE TABLE IF NOT EXISTS feedback (
        owner_did text NOT NULL,
        session_id text NOT NULL,
        message_id text NOT NULL,
        rating text NOT NULL,
        reasons jsonb NOT NULL,
        comment text,
        updated_at timestamp (3) with time zone NOT NULL,
        CONSTRAINT feedback_pk PRIMARY KEY (owner_did,session_id,message_id),
        CONSTRAINT feedback_session_fk FOREIGN KEY (owner_did,session_id) REFERENCES sessions(owner_did,session_id) ON DELETE cascade
      )`,
      `CREATE INDEX IF NOT EXISTS feedback_updated_idx ON feedback USING btree (updated_at)`,
    ],
  },
];

/** Table of feedback. */
export const tables: PluginTables<FeedbackStore> = {
  names: ['feedback'],
  migrations,
  open: (db) => new FeedbackStore(db),
};

export type FeedbackBoot = PluginBoot<FeedbackSettings, FeedbackStore, 'sessions:read'>;
