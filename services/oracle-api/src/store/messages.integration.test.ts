import { tmpdir } from 'node:os';
import { type DatabaseConnection, openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import { type Placeholder, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationsFolder } from './database.js';
import { upToStatement } from './messages.js';
import * as schema from './oracle-schema.js';

const turns = 500;
const [ownerDid, sessionId] = ['did:key:asha', 'long'];

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan reads, in all of its steps. */
function rowsLookedAt(node: PlanNode): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': unjoined = 0, Plans = [] } = node;
  const own = (node['Actual Rows'] + filtered + unjoined) * node['Actual Loops'];
  return Plans.reduce((sum, plan) => sum + rowsLookedAt(plan), own);
}

describe.skipIf(postgresUrl === undefined)('messages up to a turn', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let database: DatabaseConnection<typeof schema>;
  beforeAll(async () => {
    fresh = await freshDatabase();
    const logger = createLogger({ service: 'test', level: 'silent' });
    database = await openDatabase({ url: fresh.url, dataDir: tmpdir(), schema, migrationsFolder, logger });
    const at = new Date(0);
    await database.db.insert(schema.sessions).values({ ownerDid, sessionId, createdAt: at, lastUpdatedAt: at });
    await database.db.execute(
      sql`insert into messages (session_id, message_id, owner_did, turn_id, type, content, created_at)
        select ${sessionId}, turn || type, ${ownerDid}, turn, type, 'tea', now()
        from generate_series(1, ${turns}::int) as turn, (values ('human'), ('ai')) as types(type)`,
    );
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  /** Rows that Postgres reads for the statement, with a plan made without the values. */
  async function lookedAt(end: 'first' | 'last', given: Record<string, string | number | null>) {
    const { sql: text, params } = upToStatement(database.db, end).getQuery();
    const values = params.map((param) => literalOf(given[(param as Placeholder).name] ?? null));
    return database.db.transaction(async (tx) => {
      await tx.execute(sql`set local plan_cache_mode = force_generic_plan`);
      await tx.execute(sql.raw(`prepare asked as ${text}`));
      const explained = await tx.execute(
        sql.raw(`explain (analyze, timing off, format json) execute asked(${values.join()})`),
      );
      const [row] = explained as { 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }[];
      await tx.execute(sql`deallocate asked`);
      return rowsLookedAt(row?.['QUERY PLAN'][0]?.Plan as PlanNode);
    });
  }

  it.each(['first', 'last'] as const)('are found by a few scans of a session: the %s ones', async (end) => {
    const given = { ownerDid, sessionId, after: 0, limit: 51 };
    for (const upTo of [String(turns), null]) {
      expect(await lookedAt(end, { ...given, upTo })).toBeLessThan(12 * 2 * turns);
    }
  });
});

function literalOf(value: string | number | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
