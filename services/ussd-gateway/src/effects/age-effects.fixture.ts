import { sql } from 'drizzle-orm';
import type { Database } from '../../test/support/embedded-database.js';

/** The clock is that of the database: time passes by moving stored events into the past. */
export const ageEffects = (database: Database) => async (ms: number) => {
  const by = sql.raw(`interval '${ms} milliseconds'`);
  await database.db.execute(sql`update effect_intents set started_at = started_at - ${by},
    leased_until = leased_until - ${by}, due_at = due_at - ${by}, ended_at = ended_at - ${by},
    handed_at = handed_at - ${by}, told_at = told_at - ${by}`);
};
