import type { PluginBoot } from '../api/plugin.js';
import type { PluginMigration, PluginTables } from '../api/plugin-storage.js';
import { CreditLedger } from './credit-ledger.js';

import type { CreditSettings } from './settings.js';

/** Migrations of the tables in `schema.ts`. A released migration is never changed. */
const migrations: readonly PluginMigration[] = [
  {
    name: '0000_credits',
    // In older databases the oracle itself created these tables: they are adopted unchanged.
    sql: [
      `CREATE TABLE IF NOT EXISTS credit_accounts (
        owner_did text PRIMARY KEY NOT NULL,
        balance bigint NOT NULL
      )`,
      `CREATE TABLE IF NOT EXISTS credit_claims (
        claim_id text PRIMARY KEY NOT NULL,
        owner_did text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY (sequence name credit_claims_position_seq INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
        tokens bigint NOT NULL,
        opened_at timestamp (3) with time zone NOT NULL,
        settled_at timestamp (3) with time zone
      )`,
      `CREATE TABLE IF NOT EXISTS credit_top_ups (
        top_up_id text PRIMARY KEY NOT NULL,
        owner_did text NOT NULL,
        tokens bigint NOT NULL,
        created_at timestamp (3) with time zone NOT NULL
      )`,
      `CREATE INDEX IF NOT EXISTS credit_claims_owner_open_idx ON credit_claims USING btree (owner_did,position) WHERE settled_at is null`,
      `CREATE INDEX IF NOT EXISTS credit_claims_open_idx ON credit_claims USING btree (position) WHERE settled_at is null`,
    ],
  },
  {
    name: '0001_holds',
    // The columns may exist already: a database can also be adopted without its migration records.
    sql: [
      `ALTER TABLE credit_accounts ADD COLUMN IF NOT EXISTS owed bigint DEFAULT 0 NOT NULL, ADD COLUMN IF NOT EXISTS held bigint DEFAULT 0 NOT NULL`,
      `CREATE TABLE IF NOT EXISTS credit_holds (
        run_id text PRIMARY KEY NOT NULL,
        owner_did text NOT NULL,
        tokens bigint NOT NULL,
        expires_at timestamp (3) with time zone NOT NULL
      )`,
      `CREATE INDEX IF NOT EXISTS credit_holds_owner_idx ON credit_holds USING btree (owner_did,expires_at)`,
      `INSERT INTO credit_accounts (owner_did, balance)
        SELECT DISTINCT owner_did, 0 FROM credit_claims WHERE settled_at IS NULL ON CONFLICT DO NOTHING`,
      `UPDATE credit_accounts SET owed = coalesce((SELECT sum(tokens) FROM credit_claims
        WHERE credit_claims.owner_did = credit_accounts.owner_did AND settled_at IS NULL), 0)`,
    ],
  },
  {
    name: '0002_by_owner',
    sql: [
      `CREATE INDEX IF NOT EXISTS credit_claims_owner_idx ON credit_claims USING btree (owner_did,position)`,
      `CREATE INDEX IF NOT EXISTS credit_top_ups_owner_idx ON credit_top_ups USING btree (owner_did,top_up_id)`,
    ],
  },
  {
    name: '0003_handing_on',
    sql: [
      `ALTER TABLE credit_claims ADD COLUMN IF NOT EXISTS attempts integer DEFAULT 0 NOT NULL,
        ADD COLUMN IF NOT EXISTS next_attempt_at timestamp (3) with time zone DEFAULT '1970-01-01T00:00:00Z' NOT NULL`,
      `CREATE INDEX IF NOT EXISTS credit_claims_due_idx ON credit_claims USING btree (next_attempt_at,position) WHERE settled_at is null`,
    ],
  },
];

/** Tables of credits. */
export const tables: PluginTables<CreditLedger> = {
  names: ['credit_accounts', 'credit_claims', 'credit_holds', 'credit_top_ups'],
  migrations,
  open: (db) => new CreditLedger(db),
};

export type CreditBoot = PluginBoot<CreditSettings, CreditLedger>;
