import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { bigint, pgSchema, serial, text } from 'drizzle-orm/pg-core';
import type { Schema, SqlDatabase } from './sql-database.js';

// The table that drizzle-kit keeps, so that either tool sees what the other did.
const appliedMigrations = pgSchema('drizzle').table('__drizzle_migrations', {
  id: serial('id').primaryKey(),
  hash: text('hash').notNull(),
  createdAt: bigint('created_at', { mode: 'number' }),
});

const appliedOwned = pgSchema('drizzle').table('__owned_migrations', {
  owner: text('owner').notNull(),
  name: text('name').notNull(),
});

// Any number that nothing else in the database locks; the same in every service and replica.
const LOCK_KEY = 7_031_466_105;

export type Migration = MigrationMeta;

/** A migration of a part of a service, which is known by its owner and name. */
export interface OwnedMigration {
  readonly owner: string;
  readonly name: string;
  /** One statement each. */
  readonly sql: readonly string[];
}

export interface MigrationLimits {
  /** For the lock that keeps replicas apart, and for each table lock a statement needs. */
  readonly lockWaitMs: number;
  /** For one statement. */
  readonly statementMs: number;
}

/** Reads a folder that drizzle-kit generated. Throws when it is not one: that is a broken build, not an outage. */
export function readMigrations(folder: string): readonly Migration[] {
  if (!existsSync(join(folder, 'meta', '_journal.json'))) {
    throw new Error(`there are no database migrations in ${folder} (meta/_journal.json is missing)`);
  }
  return readMigrationFiles({ migrationsFolder: folder });
}

/**
 * Applies what the database has not seen yet, in order, in one transaction: all or nothing. A transaction-level
 * advisory lock makes replicas that start together take turns, so each migration runs once; waiting for it is bounded
 * (SQLSTATE 55P03). A migration is known by its creation time, so services may share one database. Those of owners come after
 * all others, in their order. Returns how many ran.
 */
export function applyMigrations<TSchema extends Schema>(
  db: SqlDatabase<TSchema>,
  migrations: readonly Migration[],
  limits: MigrationLimits,
  owned: readonly OwnedMigration[] = [],
): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('lock_timeout', ${`${limits.lockWaitMs}ms`}, true)`);
    await tx.execute(sql`select set_config('statement_timeout', ${`${limits.statementMs}ms`}, true)`);
    await tx.execute(sql`select pg_advisory_xact_lock(${sql.raw(String(LOCK_KEY))})`);
    await tx.execute(sql`create schema if not exists drizzle`);
    await tx.execute(
      sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
    );
    const rows = await tx.select({ createdAt: appliedMigrations.createdAt }).from(appliedMigrations);
    const seen = new Set(rows.map(({ createdAt }) => createdAt));
    const missing = migrations.filter(({ folderMillis }) => !seen.has(folderMillis));
    for (const migration of missing) {
      for (const statement of migration.sql) await tx.execute(sql.raw(statement));
      await tx.insert(appliedMigrations).values({ hash: migration.hash, createdAt: migration.folderMillis });
    }
    return missing.length + (await applyOwned(tx, owned));
  });
}

async function applyOwned<TSchema extends Schema>(tx: SqlDatabase<TSchema>, owned: readonly OwnedMigration[]) {
  if (owned.length === 0) return 0;
  await tx.execute(
    sql`create table if not exists drizzle.__owned_migrations (owner text not null, name text not null, primary key (owner, name))`,
  );
  const seen = await tx.select().from(appliedOwned);
  const missing = owned.filter(({ owner, name }) => !seen.some((row) => row.owner === owner && row.name === name));
  for (const { owner, name, sql: statements } of missing) {
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.insert(appliedOwned).values({ owner, name });
  }
  return missing.length;
}
