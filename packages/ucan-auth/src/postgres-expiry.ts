import { and, inArray, lt } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { ucanReplays, ucanRevocations } from './postgres-schema.js';
import { GRACE_SECONDS, systemSeconds } from './store-times.js';

export interface PostgresStoreOptions {
  /** Unix seconds; the clock that tokens are judged by. Default: the system's. */
  readonly now?: () => number;
}

/** More than come between two sweeps, and few enough to be no burden. */
const ROWS_PER_SWEEP = 1000;

/**
 * An expiry as the tables hold it: whole seconds; for a UCAN that never expires, further ahead than any clock.
 * @throws RangeError when it is no time
 */
export function storedExpiry(expiresAt: number): number {
  if (Number.isNaN(expiresAt)) throw new RangeError('an expiry is a time in Unix seconds, or Infinity');
  return Math.min(Math.max(0, Math.ceil(expiresAt)), Number.MAX_SAFE_INTEGER);
}

/**
 * Deletes expired rows on every `turns`-th call. It is no part of what the caller asked for, so its failure is not the
 * caller's; rows that another replica is deleting are left to it.
 */
export function sweepEvery<TSchema extends Record<string, unknown>>(
  turns: number,
  db: PgDatabase<PgQueryResultHKT, TSchema>,
  table: typeof ucanRevocations | typeof ucanReplays,
  { now = systemSeconds }: PostgresStoreOptions,
): () => Promise<void> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls % turns !== 0) return;
    const isExpired = lt(table.expiresAt, now() - GRACE_SECONDS);
    const expired = db
      .select({ cid: table.cid })
      .from(table)
      .where(isExpired)
      .limit(ROWS_PER_SWEEP)
      .for('update', { skipLocked: true });
    try {
      await db.delete(table).where(and(inArray(table.cid, expired), isExpired));
    } catch {
      // The next sweep finds them.
    }
  };
}
