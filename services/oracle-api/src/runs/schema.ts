import { and, eq, isNull } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment, runs } from '../store/schema.js';
import type { MeteredTurn } from './payment.js';

export const idColumn = { runId: runs.runId };

/** Owner, session and request of a run. */
export const startColumns = {
  runId: runs.runId,
  ownerDid: runs.ownerDid,
  sessionId: runs.sessionId,
  requestId: runs.requestId,
};

export const recordColumns = { ...startColumns, status: runs.status, createdAt: runs.createdAt };

/** The runs of a session that have not ended. */
export function liveIn(ownerDid: string, sessionId: string) {
  return and(eq(runs.ownerDid, ownerDid), eq(runs.sessionId, sessionId), isNull(runs.endedAt));
}

/** Usage not acknowledged by a meter. Without the key of the session, so that deleting the session does not delete the charge. */
export const unreportedUsage = pgTable(
  'untold_usage',
  {
    runId: text('run_id').notNull(),
    part: integer('part').notNull(),
    ownerDid: text('owner_did').notNull(),
    usage: jsonb('usage').$type<Omit<MeteredTurn, 'runId' | 'part' | 'ownerDid' | 'waitsUntil'>>().notNull(),
    waitsUntil: moment('waits_until'),
    /** Number of retries, and time of the next one. */
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.part] }),
    index('untold_usage_due_idx').on(table.nextAttemptAt),
    index('untold_usage_owner_idx').on(table.ownerDid, table.runId),
  ],
);
