import { batched } from '@mlango/async/batch';
import { and, count, eq, gte, inArray, lt, ne, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { type revocationTable, ucanReplays, ucanRevocations } from './postgres-schema.js';
import {
  checkExpiry,
  GRACE_SECONDS,
  REVOCATIONS_IN_ALL,
  REVOCATIONS_PER_ISSUER,
  type ReplayStore,
  type RevocationQuota,
  type RevocationStore,
  systemSeconds,
} from './token-stores.js';

interface PostgresStoreOptions {
  /** Unix seconds, the clock of the token verification. Default: the system clock. */
  readonly now?: () => number;
}

/** More than are inserted between two sweeps, and few enough for one fast statement. */
const ROWS_PER_SWEEP = 1000;
const WRITES_PER_SWEEP = 100;

/** Namespace of the advisory locks for storing revocations. */
const REVOCATION_LOCKS = 1_919_251_307;
/** New revocations between two counts of all revocations, which are expensive. */
const RECORDS_PER_COUNT = 100;

/** Paths of one query. */
const QUERY_BATCH = { limit: 500 };

type RevocationTable = ReturnType<typeof revocationTable>;

/**
 * Revocations in Postgres or PGlite, in the table `ucan_revocations` or another one. Every hundredth new one deletes up to a
 * thousand that expired more than a minute ago. All revocations are counted once per hundred new ones, so each replica may exceed
 * `inAll` by that many.
 */
export function postgresRevocationStore<TSchema extends Record<string, unknown>>(
  db: PgDatabase<PgQueryResultHKT, TSchema>,
  options: PostgresStoreOptions & RevocationQuota & { readonly table?: RevocationTable } = {},
): RevocationStore {
  const {
    now = systemSeconds,
    perIssuer = REVOCATIONS_PER_ISSUER,
    inAll = REVOCATIONS_IN_ALL,
    table = ucanRevocations,
  } = options;
  const sweep = sweeper(db, table, options);
  let records = 0;
  let hasRoom = true;

  async function checkRoom(): Promise<void> {
    if (records % RECORDS_PER_COUNT === 0) {
      const some = db.select({ cid: table.cid }).from(table).limit(inAll).as('some');
      const [counted] = await db.select({ total: count() }).from(some);
      hasRoom = (counted?.total ?? 0) < inAll;
    }
    records += 1;
    if (!hasRoom) throw new RangeError('no room for another revocation');
  }

  const find = findStatement(db, table);
  /** Issuers that revoked some UCANs, by CID. Every request queries them, so concurrent queries are batched. */
  const revokersOf = batched(async (paths: readonly Parameters<RevocationStore['isAnyRevoked']>[0][]) => {
    const valuesOf = (name: 'cid' | 'issuer') =>
      JSON.stringify([...new Set(paths.flatMap((path) => path.map((ucan) => ucan[name])))]);
    const revoked = new Map<string, string[]>();
    for (const { cid, issuer } of await find.execute({ cids: valuesOf('cid'), issuers: valuesOf('issuer') })) {
      revoked.set(cid, [...(revoked.get(cid) ?? []), issuer]);
    }
    return revoked;
  }, QUERY_BATCH);

  return {
    async revoke({ cid, issuer, expiresAt }) {
      const row = { cid, issuer, expiresAt: storedExpiry(expiresAt) };
      await sweep();
      await checkRoom();
      return db.transaction(async (tx) => {
        // Until the end of the transaction: counting and inserting is serial per issuer.
        await tx.execute(sql`select pg_advisory_xact_lock(${REVOCATION_LOCKS}, hashtext(${issuer}))`);
        const isOther = and(eq(table.issuer, issuer), ne(table.cid, cid), gte(table.expiresAt, now() - GRACE_SECONDS));
        const others = tx.select({ cid: table.cid }).from(table).where(isOther).limit(perIssuer);
        const [counted] = await tx.select({ stored: count() }).from(others.as('others'));
        if ((counted?.stored ?? 0) >= perIssuer) return 'full';
        await tx
          .insert(table)
          .values(row)
          .onConflictDoUpdate({
            target: [table.cid, table.issuer],
            set: { expiresAt: sql`greatest(${table.expiresAt}, excluded.expires_at)` },
          });
        return 'recorded';
      });
    },
    async isAnyRevoked(path) {
      if (path.length === 0) return false;
      const revoked = await revokersOf(path);
      const issuers = new Set(path.map((ucan) => ucan.issuer));
      return path.some(({ cid }) => revoked.get(cid)?.some((issuer) => issuers.has(issuer)) === true);
    },
  };
}

/** Built once: building the query costs more than running it. */
function findStatement<TSchema extends Record<string, unknown>>(
  db: PgDatabase<PgQueryResultHKT, TSchema>,
  table: RevocationTable,
) {
  const { cid, issuer } = table;
  const isIn = (column: typeof cid | typeof issuer, names: string) =>
    sql`${column} in (select jsonb_array_elements_text(${sql.placeholder(names)}::jsonb))`;
  const isQueried = and(isIn(cid, 'cids'), isIn(issuer, 'issuers'));
  return db.select({ cid, issuer }).from(table).where(isQueried).prepare('find_revocations');
}

/**
 * Used tokens in Postgres or PGlite, in the table `ucan_replays`: the claim belongs to the replica that inserts the row. Every hundredth
 * claim deletes up to a thousand that expired more than a minute ago.
 */
export function postgresReplayStore<TSchema extends Record<string, unknown>>(
  db: PgDatabase<PgQueryResultHKT, TSchema>,
  options: PostgresStoreOptions = {},
): ReplayStore {
  const sweep = sweeper(db, ucanReplays, options);
  return {
    async claim(cid, expiresAt) {
      const rows = await db
        .insert(ucanReplays)
        .values({ cid, expiresAt: storedExpiry(expiresAt) })
        .onConflictDoNothing()
        .returning({ cid: ucanReplays.cid });
      await sweep();
      return rows.length === 1;
    },
  };
}

/**
 * The stored form of an expiry: whole seconds, and the largest safe integer for Infinity.
 * @throws {RangeError} if the expiry is not a number
 */
function storedExpiry(expiresAt: number): number {
  checkExpiry(expiresAt);
  return Math.min(Math.max(0, Math.ceil(expiresAt)), Number.MAX_SAFE_INTEGER);
}

/** Deletes expired rows on every hundredth call. Skips rows that another replica is deleting; a failure is ignored. */
function sweeper<TSchema extends Record<string, unknown>>(
  db: PgDatabase<PgQueryResultHKT, TSchema>,
  table: typeof ucanRevocations | typeof ucanReplays,
  { now = systemSeconds }: PostgresStoreOptions,
): () => Promise<void> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls % WRITES_PER_SWEEP !== 0) return;
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
      // The next sweep deletes them.
    }
  };
}
