import { and, gt, isNull, sql } from 'drizzle-orm';
import type { PluginDatabase } from '../api/plugin-storage.js';
import type { OutstandingCredits } from './credit-ledger.js';
import { creditClaims, creditHolds } from './schema.js';

/** Reads what is open alone, not what users have: claims that are not settled have an index, and holds are those of turns under way. */
export async function outstandingCredits(db: PluginDatabase): Promise<OutstandingCredits> {
  const [[claims], [holds]] = await Promise.all([
    db
      .select({
        owed: sql<number>`coalesce(sum(${creditClaims.tokens}), 0)`.mapWith(Number),
        oldest: sql<Date | null>`min(${creditClaims.openedAt})`.mapWith(creditClaims.openedAt),
      })
      .from(creditClaims)
      .where(and(isNull(creditClaims.settledAt), gt(creditClaims.tokens, 0))),
    db.select({ held: sql<number>`coalesce(sum(${creditHolds.tokens}), 0)`.mapWith(Number) }).from(creditHolds),
  ]);
  return { owed: claims?.owed ?? 0, held: holds?.held ?? 0, oldestOpenedAt: claims?.oldest ?? undefined };
}
