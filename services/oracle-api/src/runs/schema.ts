import type { RunStatus } from '@mlango/schemas/oracle-events';
import { and, eq, isNull, sql } from 'drizzle-orm';
import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { MeteredTurn } from '../plugins/api/payment.js';
import { moment, sessions } from '../store/schema.js';

/** Unfinished and ended runs: owner, writer and status. Frames are in the run log. */
export const runs = pgTable(
  'runs',
  {
    runId: text('run_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    sessionId: text('session_id').notNull(),
    requestId: text('request_id').notNull(),
    /** Order of the requests. */
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    /** The process that may write the run until `lease_until`, by the clock of the database. */
    writerId: text('writer_id').notNull(),
    leaseUntil: moment('lease_until').notNull(),
    /** Why the run has to stop, as requested on any replica. */
    stop: text('stop', { enum: ['aborted', 'superseded'] }),
    /** The answer at the last renewal of the lease. */
    partialText: text('partial_text').notNull().default(''),
    /** Text marks of an ended run: its frames are deleted before the record. */
    textMarks: text('text_marks'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** For a suspended run: time of the suspension. */
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
