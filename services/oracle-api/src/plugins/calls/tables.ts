import type { PluginBoot } from '../api/plugin.js';
import type { PluginMigration, PluginTables } from '../api/plugin-storage.js';
import { CallStore } from './call-store.js';

import type { CallSettings } from './settings.js';

/** Migrations of the tables in `schema.ts`. A released migration is never changed. */
const migrations: readonly PluginMigration[] = [
  {
    name: '0000_calls',
    // In older databases the oracle itself created these tables: they are adopted unchanged.
    sql: [
      `CREATE TABLE IF NOT EXISTS calls (
        call_id text PRIMARY KEY NOT NULL,
        owner_did text NOT NULL,
        session_id text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY (sequence name calls_position_seq INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
        kind text NOT NULL,
        created_at timestamp (3) with time zone NOT NULL,
        expires_at timestamp (3) with time zone NOT NULL,
        started_at timestamp (3) with time zone,
        ended_at timestamp (3) with time zone,
        end_reason text,
        sealed_key text,
        CONSTRAINT calls_session_fk FOREIGN KEY (owner_did,session_id) REFERENCES sessions(owner_did,session_id) ON DELETE cascade ON UPDATE no action
      )`,
      `CREATE TABLE IF NOT EXISTS call_participants (
        call_id text NOT NULL,
        identity text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY (sequence name call_participants_position_seq INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
        joined_at timestamp (3) with time zone,
        left_at timestamp (3) with time zone,
        CONSTRAINT call_participants_call_id_identity_pk PRIMARY KEY(call_id,identity),
        CONSTRAINT call_participants_call_id_calls_call_id_fk FOREIGN KEY (call_id) REFERENCES calls(call_id) ON DELETE cascade ON UPDATE no action
      )`,
      `CREATE INDEX IF NOT EXISTS calls_owner_position_idx ON calls USING btree (owner_did,position)`,
      `CREATE INDEX IF NOT EXISTS calls_session_idx ON calls USING btree (owner_did,session_id,position)`,
      `CREATE INDEX IF NOT EXISTS calls_open_idx ON calls USING btree (expires_at) WHERE ended_at is null`,
    ],
  },
  {
    name: '0001_one_open_call',
    sql: [
      `UPDATE calls SET ended_at = expires_at, end_reason = 'expired', sealed_key = null WHERE ended_at IS NULL AND expires_at <= now()`,
      `CREATE UNIQUE INDEX IF NOT EXISTS calls_one_open_idx ON calls USING btree (owner_did,session_id) WHERE ended_at is null`,
    ],
  },
];

/** Tables of calls. */
export const tables: PluginTables<CallStore> = {
  names: ['calls', 'call_participants'],
  migrations,
  open: (db) => new CallStore(db),
};

export type CallBoot = PluginBoot<CallSettings, CallStore>;
