import { batched } from '@mlango/async/batch';
import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm';
import { isUnshown, storedColumns, storedEffect } from '../effects/effect-rows.js';
import { effectIntents as effects } from '../effects/schema.js';
import type { FindCaller } from '../sessions/find-caller.js';
import { phones } from './schema.js';

/** Phones of one look-up. With a look-up for each dial a menu hop costs a fifth more CPU (`npm run bench -- hop`). */
const lookUpBatch = { limit: 500, isSerial: true };

type Database = SqlDatabase<Record<string, unknown>>;
type Found = Awaited<ReturnType<ReturnType<typeof prepare>['execute']>>;

/**
 * Looks up callers in one indexed statement. Dials that arrive together share a look-up, which otherwise costs more than the rest of a
 * dial.
 *
 * @param withinMs how long after its end, or after its start without an outcome, an effect is found.
 */
export function sqlCallers(db: Database, withinMs: number): FindCaller {
  const statement = prepare(db, withinMs);
  const lookUp = batched(async (numbers: readonly string[]) => {
    // No number holds a comma.
    const rows: Found = await statement.execute({ numbers: [...new Set(numbers)].join(',') });
    const byNumber = new Map<string, Found>();
    for (const row of rows) byNumber.set(row.number, [...(byNumber.get(row.number) ?? []), row]);
    return byNumber;
  }, lookUpBatch);
  return async ({ phoneNumber, aggregator, serviceCode }) => {
    const rows = (await lookUp(phoneNumber)).get(phoneNumber) ?? [];
    const row = rows.find((one) => one.aggregator === aggregator && one.serviceCode === serviceCode);
    const unacknowledged = row === undefined || row.key === null ? undefined : storedEffect({ ...row, key: row.key });
    return { language: rows[0]?.language ?? undefined, unacknowledged };
  };
}

function prepare(db: Database, withinMs: number) {
  const requested = sql<string>`requested.number`;
  return (
    db
      .select({
        number: requested.as('requested_number'),
        language: phones.language,
        ...storedColumns,
        aggregator: effects.aggregator,
        serviceCode: effects.serviceCode,
      })
      .from(sql`unnest(string_to_array(${sql.placeholder('numbers')}, ',')) as requested(number)`)
      .leftJoin(phones, eq(phones.number, requested))
      .leftJoin(effects, and(eq(effects.phone, requested), isUnshown(withinMs)))
      // Most callers have no row, and rows are the cost of a shared look-up.
      .where(or(isNotNull(phones.language), isNotNull(effects.key)))
      .orderBy(desc(effects.startedAt))
      .prepare('who_dials')
  );
}
