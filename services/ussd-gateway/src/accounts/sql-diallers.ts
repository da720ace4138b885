import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm';
import { effectIntents as intents } from '../effects/schema.js';
import { isTellable } from '../effects/sql-intent-conditions.js';
import { knownIntent } from '../effects/sql-intent-rows.js';
import type { WhoDials } from '../sessions/who-dials.js';
import { gatherLookUps } from './gather-lookups.js';
import { phones } from './schema.js';

/** Most phones of one look-up. */
const phonesAtOnce = 500;

type Database = SqlDatabase<Record<string, unknown>>;
type Found = Awaited<ReturnType<ReturnType<typeof prepare>['execute']>>;

/**
 * What the database knows of who dials, in one indexed statement; dials that come together are looked up together, since asking costs more
 * than all else that a dial does.
 *
 * @param withinMs as `WhoDials` has it.
 */
export function sqlDiallers(db: Database, withinMs: number): WhoDials {
  const statement = prepare(db, withinMs);
  const look = gatherLookUps(async (numbers: readonly string[]) => {
    // No number holds a comma.
    const rows: Found = await statement.execute({ numbers: numbers.join(',') });
    const byNumber = new Map<string, Found>();
    for (const row of rows) byNumber.set(row.number, [...(byNumber.get(row.number) ?? []), row]);
    return byNumber;
  }, phonesAtOnce);
  return async ({ phoneNumber, aggregator, serviceCode }) => {
    const rows = (await look(phoneNumber)) ?? [];
    const row = rows.find((one) => one.aggregator === aggregator && one.serviceCode === serviceCode);
    const untold = row === undefined || row.key === null ? undefined : knownIntent({ ...row, key: row.key });
    return { language: rows[0]?.language ?? undefined, untold };
  };
}

function prepare(db: Database, withinMs: number) {
  const asked = sql<string>`asked.number`;
  return (
    db
      .select({
        number: asked.as('asked_number'),
        language: phones.language,
        ...{ key: intents.key, place: intents.place, outcome: intents.outcome },
        ...{ aggregator: intents.aggregator, serviceCode: intents.serviceCode },
      })
      .from(sql`unnest(string_to_array(${sql.placeholder('numbers')}, ',')) as asked(number)`)
      .leftJoin(phones, eq(phones.number, asked))
      .leftJoin(intents, and(eq(intents.phone, asked), isTellable(withinMs)))
      // Most who dial are nobody in particular, and rows are what a look-up of many costs.
      .where(or(isNotNull(phones.language), isNotNull(intents.key)))
      .orderBy(desc(intents.startedAt))
      .prepare('who_dials')
  );
}
