import type { SqlDatabase } from '@mlango/service-kit/database';
import { eq } from 'drizzle-orm';
import type { EffectOutcome } from '../engine/position.js';
import { effectOutcome } from '../engine/position.js';
import { effectsDone } from './schema.js';

type Database = SqlDatabase<Record<string, unknown>>;

/**
 * Does work in this database once per key: the work and its outcome are committed together, and a later or concurrent
 * call with the same key gets that outcome. For effects within this database.
 *
 * @throws errors of `work`: nothing is committed then, and the key is free.
 */
export function once(
  db: Database,
  key: string,
  work: (transaction: Database) => Promise<EffectOutcome>,
): Promise<EffectOutcome> {
  return db.transaction(async (transaction) => {
    // Waits until another transaction with the key has ended.
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
