import { count, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ucanReplays, ucanRevocations } from './postgres-schema.js';
import { postgresReplayStore, postgresRevocationStore } from './postgres-stores.js';
import { replayStoreContract, revocationStoreContract } from './token-stores.contract.js';

export const schema = { ucanReplays, ucanRevocations };
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

/** The tables as in a service's migrations. */
async function createTables(db: Db): Promise<void> {
  await db.execute(sql`create table ucan_revocations (cid text not null, issuer text not null,
    expires_at bigint not null, primary key (cid, issuer))`);
  await db.execute(sql`create index ucan_revocations_expires_at on ucan_revocations (expires_at)`);
  await db.execute(sql`create index ucan_revocations_issuer on ucan_revocations (issuer)`);
  await db.execute(sql`create table ucan_replays (cid text primary key, expires_at bigint not null)`);
  await db.execute(sql`create index ucan_replays_expires_at on ucan_replays (expires_at)`);
}

/** Guarantees of the stores on any Postgres. */
export function postgresStoresContract(open: () => Promise<{ db: Db; close(): Promise<void> }>): void {
  let database: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    database = await open();
    await createTables(database.db);
  });
  afterAll(() => database.close());

  const clock = (nowSeconds: number) => ({ now: () => nowSeconds });
  const empty = async () => {
    await database.db.delete(ucanRevocations);
    await database.db.delete(ucanReplays);
    return database.db;
  };
  revocationStoreContract(async (nowSeconds, quota) =>
    postgresRevocationStore(await empty(), { ...clock(nowSeconds), ...quota }),
  );
  replayStoreContract(async (nowSeconds) => postgresReplayStore(await empty(), clock(nowSeconds)), 150);

  it('deletes expired rows with new writes, and no others', async () => {
    const db = await empty();
    const replays = postgresReplayStore(db, clock(1000));
    const revocations = postgresRevocationStore(db, clock(1000));
    await replays.claim('live', 1001);
    // The same UCAN, revoked by two issuers, one with a wrong expiry.
    await revocations.revoke({ cid: 'bafy0', issuer: 'did:key:zB', expiresAt: 1001 });
    for (let index = 0; index < 130; index++) {
      await replays.claim(`used${index}`, 900);
      await revocations.revoke({ cid: `bafy${index}`, issuer: 'did:key:zA', expiresAt: 900 });
    }
    expect(await replays.claim('live', 1001)).toBe(false);
    expect(await revocations.isAnyRevoked([{ cid: 'bafy0', issuer: 'did:key:zB' }])).toBe(true);
    for (const table of [ucanReplays, ucanRevocations]) {
      const [rows] = await db.select({ count: count() }).from(table);
      expect(rows?.count).toBeLessThan(100);
    }
  });
}
