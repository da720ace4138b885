import { and, asc, eq, lte, ne, sql } from 'drizzle-orm';
import type { OracleDatabase } from '../../store/oracle-database.js';
import { untoldUsage } from '../schema.js';
import type { MeteredTurn } from './turn-usage.js';
import { longestRetryMs, retryMs, type UntoldUsage } from './untold-usage.js';

/** What meters could not be told, in Postgres or PGlite. Tries go by the clock of the database, which all processes share. */
export function sqlUntoldUsage(db: OracleDatabase): UntoldUsage {
  return {
    async take(limit) {
      const { runId, part, attempts, nextAttemptAt } = untoldUsage;
      const due = db
        .select({ runId, part })
        .from(untoldUsage)
        .where(lte(nextAttemptAt, sql`now()`))
        .orderBy(asc(nextAttemptAt))
        .limit(limit)
        .for('update', { skipLocked: true });
      const waitMs = sql`least(${retryMs}::float8 * 2 ^ least(${attempts}, 30), ${longestRetryMs}::float8)`;
      const taken = await db
        .update(untoldUsage)
        .set({ attempts: sql`${attempts} + 1`, nextAttemptAt: sql`now() + ${waitMs} * interval '1 millisecond'` })
        .where(sql`(${runId}, ${part}) in ${due}`)
        .returning();
      return taken.map(({ usage, waitsUntil, ...of }) => ({
        ...{ runId: of.runId, part: of.part, ownerDid: of.ownerDid, ...usage },
        ...(waitsUntil === null ? {} : { waitsUntil }),
      }));
    },

    async has(runId, besides) {
      const isOther = besides === undefined ? undefined : ne(untoldUsage.part, besides);
      return (await db.$count(untoldUsage, and(eq(untoldUsage.runId, runId), isOther))) > 0;
    },

    async drop({ runId, part }) {
      await db.delete(untoldUsage).where(and(eq(untoldUsage.runId, runId), eq(untoldUsage.part, part)));
    },
  };
}

/** For the transaction in which a run ends or begins to wait. */
export async function keepUntold(tx: Pick<OracleDatabase, 'insert'>, untold: MeteredTurn | undefined): Promise<void> {
  if (untold === undefined) return;
  const { runId, part, ownerDid, waitsUntil, ...usage } = untold;
  await tx.insert(untoldUsage).values({ runId, part, ownerDid, waitsUntil, usage }).onConflictDoNothing();
}
