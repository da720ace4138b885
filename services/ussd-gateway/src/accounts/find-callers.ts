import { batched } from '@mlango/async/batch';
import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm';
import { isUnshown, knownColumns, knownIntent } from '../effects/intent-rows.js';
import { effectIntents as intents } from '../effects/schema.js';
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
    const unacknowledged = row === undefined || row.key === null ? undefined : knownIntent({ ...row, key: row.key });
    return { language: rows[0]?.language ?? undefined, unacknowledged };
  };
}

function prepare(db: Database, withinMs: number) {
  const asked = sql<string>`asked.number`;
  return (
    db
      .select({
        number: asked.as('asked_number'),
        language: phones.language,
        ...knownColumns,
        ...{ aggregator: intents.aggregator, serviceCode: intents.serviceCode },
      })
      .from(sql`unnest(string_to_array(${sql.placeholder('numbers')}, ',')) as asked(number)`)
      .leftJoin(phones, eq(phones.number, asked))
      .leftJoin(intents, and(eq(intents.phone, asked), isUnshown(withinMs)))
      // Most callers have no row, and rows are the cost of a shared look-up.
      .where(or(isNotNull(phones.language), isNotNull(intents.key)))
      .orderBy(desc(intents.startedAt))
      .prepare('who_dials')
  );
}
