import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { bigint, pgSchema, serial, text } from 'drizzle-orm/pg-core';
import type { Schema, SqlDatabase } from '../sql-database.js';
import { grantOwnTables, type OwnedTables, watchOwnTables } from './own-tables.js';

// The table of drizzle-kit, so that both tools see the same migrations.
const appliedMigrations = pgSchema('drizzle').table('__drizzle_migrations', {
  id: serial('id').primaryKey(),
  hash: text('hash').notNull(),
  createdAt: bigint('created_at', { mode: 'number' }),
});

const appliedOwned = pgSchema('drizzle').table('__owned_migrations', {
  owner: text('owner').notNull(),
  name: text('name').notNull(),
});

// Any number that no other lock in the database uses; the same in every service and replica.
const LOCK_KEY = 7_031_466_105;

export type Migration = MigrationMeta;

export interface MigrationLimits {
  /** For the lock between replicas, and for each table lock a statement needs. */
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
 * Applies missing migrations in order: the service's in one transaction, then those of each owner in another one, which may change
 * the owner's tables only. Each transaction holds an advisory lock, so that one of several replicas runs a migration; the wait for
 * the lock is bounded (SQLSTATE 55P03). A migration is identified by its creation time, so services may share one database. Returns
 * the number of applied migrations.
 */
export async function applyMigrations<TSchema extends Schema>(
  db: SqlDatabase<TSchema>,
  migrations: readonly Migration[],
  limits: MigrationLimits,
  owned: readonly OwnedTables[] = [],
): Promise<number> {
  const { count, seen } = await exclusively(db, limits, async (tx) => {
    await tx.execute(sql`create schema if not exists drizzle`);
    await tx.execute(
      sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
    );
    const rows = await tx.select({ createdAt: appliedMigrations.createdAt }).from(appliedMigrations);
    const applied = new Set(rows.map(({ createdAt }) => createdAt));
    const missing = migrations.filter(({ folderMillis }) => !applied.has(folderMillis));
    for (const migration of missing) {
      for (const statement of migration.sql) await tx.execute(sql.raw(statement));
      await tx.insert(appliedMigrations).values({ hash: migration.hash, createdAt: migration.folderMillis });
    }
    if (owned.length === 0) return { count: missing.length, seen: [] };
    await tx.execute(
      sql`create table if not exists drizzle.__owned_migrations (owner text not null, name text not null, primary key (owner, name))`,
    );
    return { count: missing.length, seen: await tx.select().from(appliedOwned) };
  });
  let ownedCount = 0;
  for (const part of owned) {
    if (part.role === undefined && missingOf(part, seen).length === 0) continue;
    ownedCount += await exclusively(db, limits, (tx) => applyOwned(tx, part));
  }
  return count + ownedCount;
}

function exclusively<TSchema extends Schema, Result>(
  db: SqlDatabase<TSchema>,
  limits: MigrationLimits,
  work: (tx: SqlDatabase<TSchema>) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('lock_timeout', ${`${limits.lockWaitMs}ms`}, true)`);
    await tx.execute(sql`select set_config('statement_timeout', ${`${limits.statementMs}ms`}, true)`);
    await tx.execute(sql`select pg_advisory_xact_lock(${sql.raw(String(LOCK_KEY))})`);
    return work(tx);
  });
}

async function applyOwned<TSchema extends Schema>(tx: SqlDatabase<TSchema>, part: OwnedTables): Promise<number> {
  const { owner, role } = part;
  const missing = missingOf(part, await tx.select().from(appliedOwned).where(eq(appliedOwned.owner, owner)));
  if (missing.length > 0) {
    const assertOwn = await watchOwnTables(tx, part);
    for (const { sql: statements } of missing) {
      for (const statement of statements) await tx.execute(sql.raw(statement));
    }
    await assertOwn();
    await tx.insert(appliedOwned).values(missing.map(({ name }) => ({ owner, name })));
  }
  if (role !== undefined) await grantOwnTables(tx, part, role);
  return missing.length;
}

function missingOf({ owner, migrations }: OwnedTables, seen: readonly { owner: string; name: string }[]) {
  return migrations.filter(({ name }) => !seen.some((row) => row.owner === owner && row.name === name));
}
