import type { PluginBoot } from '../api/plugin.js';
import type { PluginMigration, PluginTables } from '../api/plugin-storage.js';
import { RecallStore } from './recall-store.js';

/** Migrations of the tables in `schema.ts`. A released migration is never changed. */
const migrations: readonly PluginMigration[] = [
  {
    name: '0000_memories',
    // In older databases the oracle itself created this table: it is adopted unchanged.
    sql: [
      `CREATE TABLE IF NOT EXISTS memories (
        owner_did text NOT NULL,
        memory_id text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY (sequence name memories_position_seq INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
        kind text NOT NULL,
        title text,
        content text NOT NULL,
        created_at timestamp (3) with time zone NOT NULL,
        words tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(memories.title, '') || ' ' || memories.content)) STORED NOT NULL,
        CONSTRAINT memories_owner_did_memory_id_pk PRIMARY KEY(owner_did,memory_id)
      )`,
      `CREATE INDEX IF NOT EXISTS memories_owner_position_idx ON memories USING btree (owner_did,position)`,
      `CREATE INDEX IF NOT EXISTS memories_words_idx ON memories USING gin (words)`,
    ],
  },
];

/** Table of memories. */
export const tables: PluginTables<RecallStore> = {
  names: ['memories'],
  migrations,
  open: (db) => new RecallStore(db),
};

export type MemoryBoot = PluginBoot<Readonly<Record<string, unknown>>, RecallStore>;
