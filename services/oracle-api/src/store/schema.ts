import type { RunStatus } from '@mlango/schemas/oracle-events';
import type { userPreferences } from '@mlango/schemas/oracle-preferences';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Branch } from './branches.js';
import type { AnswerStatus, StoredAttachment, StoredComponent, StoredToolCall } from './sessions.js';

/** The user's preferences, without the time of the last change. */
export type UserPreferences = Omit<z.infer<typeof userPreferences>, 'updatedAt'>;

/** A timestamp with millisecond precision. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const sessions = pgTable(
  'sessions',
  {
    sessionId: text('session_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    /** Null until the first finished turn sets it. */
    title: text('title'),
    /** Null unless it was created for a Matrix room. */
    roomId: text('room_id'),
    createdAt: moment('created_at').notNull(),
    lastUpdatedAt: moment('last_updated_at').notNull(),
    archivedAt: moment('archived_at'),
    /** True for a session opened by a program's request. */
    isReplaceable: boolean('is_replaceable'),
    /** The selected branch; null for the trunk. */
    branch: jsonb('branch').$type<Branch>(),
  },
  (table) => [
    unique('sessions_owner_session_key').on(table.ownerDid, table.sessionId),
    index('sessions_owner_activity_idx').on(table.ownerDid, table.lastUpdatedAt, table.sessionId),
  ],
);

/** Search vector of a text in any language. Only the beginning is indexed, because Postgres bounds the size of the vector. */
export function wordsOf(content: AnyPgColumn): SQL {
  return sql`to_tsvector('simple', left(${content}, 50000))`;
}

/** Whether a message is the first one of a branch. */
export function beginsBranch({ branch, turnId }: { readonly branch: AnyPgColumn; readonly turnId: AnyPgColumn }): SQL {
  return sql`${branch} ->> 'id' = ${turnId}`;
}

/** The owner is part of the key to the session, so a message can only be in a session of the same user. */
export const messages = pgTable(
  'messages',
  {
    sessionId: text('session_id').notNull(),
    /** Chosen by the caller for answers (the request id), so unique within a session only. */
    messageId: text('message_id').notNull(),
    ownerDid: text('owner_did').notNull(),
    /** Order within the session. */
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    /** Id of the run. A turn is a user message and its answer. */
    turnId: text('turn_id').notNull(),
    type: text('type', { enum: ['human', 'ai'] }).notNull(),
    content: text('content').notNull(),
    /** Tool calls with their results, in order. */
    toolCalls: jsonb('tool_calls').$type<readonly StoredToolCall[]>(),
    components: jsonb('components').$type<readonly StoredComponent[]>(),
    reasoning: text('reasoning'),
    /** Status of an answer; null for user messages and old answers. */
    status: text('status').$type<AnswerStatus>(),
    /** `length` when the answer reached the length limit. */
    finishReason: text('finish_reason', { enum: ['length'] }),
    attachments: jsonb('attachments').$type<readonly StoredAttachment[]>(),
    createdAt: moment('created_at').notNull(),
    /** Branch of a user message's turn; null for the trunk. */
    branch: jsonb('branch').$type<Branch>(),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.messageId] }),
    foreignKey({
      columns: [table.ownerDid, table.sessionId],
      foreignColumns: [sessions.ownerDid, sessions.sessionId],
      name: 'messages_session_fk',
    }).onDelete('cascade'),
    index('messages_session_position_idx').on(table.sessionId, table.position),
    index('messages_owner_position_idx').on(table.ownerDid, table.position),
    index('messages_created_idx').using('brin', table.createdAt),
    index('messages_words_idx').using('gin', wordsOf(table.content)),
    index('messages_forks_idx').on(table.sessionId).where(beginsBranch(table)),
  ],
);

const summaryColumns = {
  ownerDid: text('owner_did').notNull(),
  /** Place of the last summarised turn: the position of its first message. Only increases. */
  upTo: bigint('up_to', { mode: 'number' }).notNull(),
  text: text('text').notNull(),
  /** External sources of the summary. Null in old records. */
  sources: jsonb('sources').$type<readonly string[]>(),
  updatedAt: moment('updated_at').notNull(),
};

/** Summaries of the trunk of each session. */
export const conversationSummaries = pgTable(
  'conversation_summaries',
  {
    sessionId: text('session_id').primaryKey(),
    ...summaryColumns,
  },
  (table) => [
    foreignKey({
      columns: [table.ownerDid, table.sessionId],
      foreignColumns: [sessions.ownerDid, sessions.sessionId],
      name: 'conversation_summaries_session_fk',
    }).onDelete('cascade'),
  ],
);

/** Summaries of branches. A separate table, because processes of the previous release do not know it. */
export const branchSummaries = pgTable(
  'branch_summaries',
  {
    sessionId: text('session_id').notNull(),
    branch: text('branch').notNull(),
    ...summaryColumns,
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.branch] }),
    foreignKey({
      columns: [table.ownerDid, table.sessionId],
      foreignColumns: [sessions.ownerDid, sessions.sessionId],
      name: 'branch_summaries_session_fk',
    }).onDelete('cascade'),
  ],
);

/** The user's preferences. */
export const preferences = pgTable('preferences', {
  ownerDid: text('owner_did').primaryKey(),
  record: jsonb('record').$type<UserPreferences>().notNull(),
  updatedAt: moment('updated_at').notNull(),
});

/** Different preferences for the sessions of a Matrix room. A separate table, because processes of the previous release do not know it. */
export const roomPreferences = pgTable(
  'room_preferences',
  {
    ownerDid: text('owner_did').notNull(),
    roomId: text('room_id').notNull(),
    record: jsonb('record').$type<UserPreferences>().notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerDid, table.roomId] })],
);

/** Users' delegations to this oracle, encrypted. */
export const delegations = pgTable('delegations', {
  ownerDid: text('owner_did').primaryKey(),
  sealed: text('sealed').notNull(),
  /** Unix seconds; null for a delegation without an expiry. */
  expiresAt: bigint('expires_at', { mode: 'number' }),
});

const { sessionId: _session, ownerDid: _owner, position: _position, ...columns } = getTableColumns(messages);

/** Columns read for a message. */
export const messageColumns = columns;

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
