import type { RunStatus } from '@mlango/schemas/oracle-events';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { bigint, foreignKey, index, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment, sessions } from '../store/schema.js';

/** What runs in a session, and what has. Frames are kept elsewhere: this is who owns a run, who writes it, how it ended. */
export const runs = pgTable(
  'runs',
  {
    runId: text('run_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    sessionId: text('session_id').notNull(),
    requestId: text('request_id').notNull(),
    /** Order in which runs were asked for. */
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    /** The process that may write the run until `lease_until`, by the clock of the database. */
    writerId: text('writer_id').notNull(),
    leaseUntil: moment('lease_until').notNull(),
    /** Why the run shall stop, from whichever process that was asked. */
    stop: text('stop', { enum: ['aborted', 'superseded'] }),
    /** The answer as far as the writer had come when it last renewed its lease. */
    partialText: text('partial_text').notNull().default(''),
    /** How its text lay in its frames, from its end on: those are gone before the run is. */
    textMarks: text('text_marks'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Of a run that waits for its user: since when. */
    endedAt: moment('ended_at'),
  },
  (table) => [
    foreignKey({
      columns: [table.ownerDid, table.sessionId],
      foreignColumns: [sessions.ownerDid, sessions.sessionId],
      name: 'runs_session_fk',
    }).onDelete('cascade'),
    unique('runs_session_request_key').on(table.sessionId, table.requestId),
    uniqueIndex('runs_one_running_idx').on(table.sessionId).where(sql`status in ('running', 'recovering')`),
    index('runs_session_position_idx').on(table.sessionId, table.position),
    index('runs_owner_position_idx').on(table.ownerDid, table.position),
    index('runs_live_lease_idx').on(table.leaseUntil).where(sql`ended_at is null`),
    index('runs_ended_idx').on(table.endedAt),
    index('runs_waiting_idx').on(table.endedAt).where(sql`status = 'waiting'`),
  ],
);

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
