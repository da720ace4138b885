import { and, asc, eq, lte, ne, sql } from 'drizzle-orm';
import type { OracleDatabase } from '../store/database.js';
import type { MeteredTurn } from './payment.js';
import { unreportedUsage } from './schema.js';

/** Longer than a report to all meters takes (`reportUsage`). */
const retryMs = 10_000;
const longestRetryMs = 300_000;

/**
 * Usage not acknowledged by a meter. Stored in the step that ends or suspends its run (`RunRepository.end`, `SuspendedRuns.suspend`),
 * once per run and part. Survives the deletion of run, session and account.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class UsageOutbox {
  readonly #db: OracleDatabase;

  constructor(db: OracleDatabase) {
    this.#db = db;
  }

  /**
   * Takes due reports, oldest first. Concurrent callers get different ones. A report that is not dropped is due again after `retryMs`, with
   * doubling intervals up to `longestRetryMs`.
   */
  async take(limit: number): Promise<MeteredTurn[]> {
    const { runId, part, attempts, nextAttemptAt } = unreportedUsage;
    const due = this.#db
      .select({ runId, part })
      .from(unreportedUsage)
      .where(lte(nextAttemptAt, sql`now()`))
      .orderBy(asc(nextAttemptAt))
      .limit(limit)
      .for('update', { skipLocked: true });
    const waitMs = sql`least(${retryMs}::float8 * 2 ^ least(${attempts}, 30), ${longestRetryMs}::float8)`;
    const taken = await this.#db
      .update(unreportedUsage)
      .set({ attempts: sql`${attempts} + 1`, nextAttemptAt: sql`now() + ${waitMs} * interval '1 millisecond'` })
      .where(sql`(${runId}, ${part}) in ${due}`)
      .returning();
    return taken.map(({ usage, waitsUntil, ...of }) => ({
      runId: of.runId,
      part: of.part,
      ownerDid: of.ownerDid,
      ...usage,
      ...(waitsUntil === null ? {} : { waitsUntil }),
    }));
  }

  /** Whether a part of a run is unreported, other than the named one. */
  async has(runId: string, besides?: number): Promise<boolean> {
    const isOther = besides === undefined ? undefined : ne(unreportedUsage.part, besides);
    return (await this.#db.$count(unreportedUsage, and(eq(unreportedUsage.runId, runId), isOther))) > 0;
  }

  /** Removes a report that all meters acknowledged. */
  async drop({ runId, part }: Pick<MeteredTurn, 'runId' | 'part'>): Promise<void> {
    await this.#db.delete(unreportedUsage).where(and(eq(unreportedUsage.runId, runId), eq(unreportedUsage.part, part)));
  }
}

/** For the transaction that ends or suspends a run. */
export async function storeUnreported(
  tx: Pick<OracleDatabase, 'insert'>,
  unreported: MeteredTurn | undefined,
): Promise<void> {
  if (unreported === undefined) return;
  const { runId, part, ownerDid, waitsUntil, ...usage } = unreported;
  await tx.insert(unreportedUsage).values({ runId, part, ownerDid, waitsUntil, usage }).onConflictDoNothing();
}
