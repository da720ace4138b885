import { and, count, eq, gte, ne, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { askedTogether } from './asked-together.js';
import { type PostgresStoreOptions, storedExpiry, sweepEvery } from './postgres-expiry.js';
import { type revocationTable, ucanRevocations } from './postgres-schema.js';
import { REVOCATIONS_IN_ALL, REVOCATIONS_PER_ISSUER, type RevocationQuota } from './revocation-quota.js';
import type { RevocationStore } from './revocation-store.js';
import { GRACE_SECONDS, systemSeconds } from './store-times.js';

/** Of the advisory locks of a database, those by which revocations are recorded. */
const RECORDING_LOCKS = 1_919_251_307;
/** Counting all of them is dear, so it is done once for so many. */
const RECORDS_PER_COUNT = 100;

type RevocationTable = ReturnType<typeof revocationTable>;

/**
 * Revocations in Postgres, embedded or a server, in the table `ucan_revocations` or the one given. As new ones come, those of UCANs that
 * expired more than a minute ago are deleted, a thousand at a time. How many there are in all is counted once for a hundred
 * that come, so there may be so many more for each replica.
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
  const sweep = sweepEvery(100, db, table, options);
  let records = 0;
  let hasRoom = true;

  async function makeSureOfRoom(): Promise<void> {
    if (records % RECORDS_PER_COUNT === 0) {
      const some = db.select({ cid: table.cid }).from(table).limit(inAll).as('some');
      const [counted] = await db.select({ there: count() }).from(some);
      hasRoom = (counted?.there ?? 0) < inAll;
    }
    records += 1;
    if (!hasRoom) throw new RangeError('no room for another revocation');
  }

  const find = findStatement(db, table);
  /** Who took back which of some UCANs: every request asks, so those that come at once ask once. */
  const revokersOf = askedTogether(async (paths: readonly Parameters<RevocationStore['isAnyRevoked']>[0][]) => {
    const named = (name: 'cid' | 'issuer') =>
      JSON.stringify([...new Set(paths.flatMap((path) => path.map((ucan) => ucan[name])))]);
    const revoked = new Map<string, string[]>();
    for (const { cid, issuer } of await find.execute({ cids: named('cid'), issuers: named('issuer') })) {
      revoked.set(cid, [...(revoked.get(cid) ?? []), issuer]);
    }
    return revoked;
  });

  return {
    async revoke({ cid, issuer, expiresAt }) {
      const row = { cid, issuer, expiresAt: storedExpiry(expiresAt) };
      await sweep();
      await makeSureOfRoom();
      return db.transaction(async (tx) => {
        // Held to the end of the transaction: of one issuer one counts and records at a time.
        await tx.execute(sql`select pg_advisory_xact_lock(${RECORDING_LOCKS}, hashtext(${issuer}))`);
        const isOther = and(eq(table.issuer, issuer), ne(table.cid, cid), gte(table.expiresAt, now() - GRACE_SECONDS));
        const others = tx.select({ cid: table.cid }).from(table).where(isOther).limit(perIssuer);
        const [counted] = await tx.select({ kept: count() }).from(others.as('others'));
        if ((counted?.kept ?? 0) >= perIssuer) return 'full';
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

/** Put together once: that costs more than the asking. */
function findStatement<TSchema extends Record<string, unknown>>(
  db: PgDatabase<PgQueryResultHKT, TSchema>,
  table: RevocationTable,
) {
  const { cid, issuer } = table;
  const isIn = (column: typeof cid | typeof issuer, names: string) =>
    sql`${column} in (select jsonb_array_elements_text(${sql.placeholder(names)}::jsonb))`;
  const isAsked = and(isIn(cid, 'cids'), isIn(issuer, 'issuers'));
  return db.select({ cid, issuer }).from(table).where(isAsked).prepare('find_revocations');
}
