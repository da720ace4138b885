import type { SqlDatabase } from '@mlango/service-kit/database';
import { eq } from 'drizzle-orm';
import type { EffectOutcome } from '../engine/position.js';
import { effectOutcome } from '../engine/position.js';
import { effectsDone } from './schema.js';

type Database = SqlDatabase<Record<string, unknown>>;

/**
 * Does work in this database once for a key: the work and its outcome are there together or not at all, and who comes with the same key
 * later, or at the same time, gets that outcome. For effects of one's own.
 *
 * @throws what `work` rejects with: nothing was done then, and the key is free.
 */
export function once(
  db: Database,
  key: string,
  work: (transaction: Database) => Promise<EffectOutcome>,
): Promise<EffectOutcome> {
  return db.transaction(async (transaction) => {
    // Waits for another transaction that has the key, until that has ended.
    const first = await transaction
      .insert(effectsDone)
      .values({ key })
      .onConflictDoNothing()
      .returning({ key: effectsDone.key });
    if (first.length === 0) return outcomeOf(transaction, key);
    const outcome = await work(transaction);
    await transaction.update(effectsDone).set({ outcome }).where(eq(effectsDone.key, key));
    return outcome;
  });
}

async function outcomeOf(transaction: Database, key: string): Promise<EffectOutcome> {
  const [done] = await transaction
    .select({ outcome: effectsDone.outcome })
    .from(effectsDone)
    .where(eq(effectsDone.key, key));
  return effectOutcome.parse(done?.outcome);
}
