import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, between, eq, lt, sql } from 'drizzle-orm';
import { type CountBatch, hourOf, type SummedCount, slotsPerHour } from './count.js';
import { screenCounts } from './schema.js';

/** The hours to read, and the oldest slot of 5 minutes whose visits may still be live: older ones count as abandoned. */
export interface CountedTime {
  readonly fromHour: number;
  readonly toHour: number;
  /** Slots since 1970. */
  readonly firstOpenSlot: number;
}

/** Retention of an hour after it began. */
const retentionHours = 24 * 8;

const key = sql.raw('tenant, hour, flow, version, from_screen, to_screen, measure, bucket');
const jsonKey = sql.raw('tenant, hour, flow, version, "fromScreen", "toScreen", measure, bucket');
const jsonRow = sql.raw(
  `tenant text, hour int, flow text, version int, "fromScreen" text, "toScreen" text, measure text, bucket int, count int`,
);

/** Counts of all tenants and processes, in Postgres or PGlite. */
export class CountStore {
  readonly #db: SqlDatabase<Record<string, unknown>>;

  constructor(db: SqlDatabase<Record<string, unknown>>) {
    this.#db = db;
  }

  /** Adds a batch, once for any number of repeats. Rejects if the database is unavailable; the batch then is repeated as a whole. */
  async add({ writer, number, hour, counts }: CountBatch): Promise<void> {
    // Ordered, so that two processes do not lock each other's rows.
    await this.#db.execute(sql`
      with batch as (
        insert into ${screenCounts} (${key}, count) values ('', ${hour}, '', 0, '', ${writer}, 'batch', 0, ${number})
        on conflict (${key}) do update set count = excluded.count where ${screenCounts}.count < excluded.count
        returning 1
      )
      insert into ${screenCounts} (${key}, count)
      select ${jsonKey}, count from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as batch_counts(${jsonRow})
      where exists (select from batch)
      order by ${jsonKey}
      on conflict (${key}) do update set count = ${screenCounts}.count + excluded.count`);
  }

  /** The sums of a tenant over some hours. */
  async read(tenant: string, { fromHour, toHour, firstOpenSlot }: CountedTime): Promise<SummedCount[]> {
    const { flow, version, fromScreen, toScreen } = screenCounts;
    const isOpen = sql`${screenCounts.measure} = 'open'`;
    const slot = sql`${screenCounts.hour} * ${sql.raw(String(slotsPerHour))} + ${screenCounts.bucket}`;
    const measure = sql<SummedCount['measure']>`case when ${isOpen} and ${slot} < ${firstOpenSlot}::int
      then 'abandoned' else ${screenCounts.measure} end`.as('summed');
    const bucket = sql<number>`case when ${isOpen} then 0 else ${screenCounts.bucket} end`.as('times');
    const count = sql<number>`sum(${screenCounts.count})::float8`;
    return this.#db
      .select({ flow, version, fromScreen, toScreen, measure, bucket, count })
      .from(screenCounts)
      .where(and(eq(screenCounts.tenant, tenant), between(screenCounts.hour, fromHour, toHour)))
      .groupBy(flow, version, fromScreen, toScreen, sql`summed`, sql`times`);
  }

  /** Deletes at most `limit` rows of expired hours; resolves with their number. */
  async purge(nowMs: number, limit: number): Promise<number> {
    const expired = sql`${screenCounts}.ctid = any(array(
      select ctid from ${screenCounts} where ${lt(screenCounts.hour, hourOf(nowMs) - retentionHours)}
      limit ${limit} for update skip locked))`;
    return (await this.#db.delete(screenCounts).where(expired).returning({ hour: screenCounts.hour })).length;
  }
}
