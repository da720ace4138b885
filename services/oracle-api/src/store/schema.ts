import type { RunStatus } from '@mlango/schemas/oracle-events';
import { type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { MeteredTurn } from '../turns/after/turn-usage.js';
import type { ApprovalAsk, CallOutcome } from '../turns/calls/call-records.js';
import type { PausedTurn } from '../turns/calls/paused-turn.js';
import type { Branch } from './branches.js';
import type { AnswerStatus, StoredAttachment, StoredComponent, StoredToolCall } from './conversation-store.js';
import type { UserPreferences } from './preferences-store.js';

/** What the token check keeps: tokens taken back, and single-use ones that were used. */
export { ucanReplays, ucanRevocations } from '@mlango/ucan-auth/postgres-schema';
export { apiKeys } from '../identity/schema.js';
/** What plugins keep without a table of their own. */
export { pluginState, pluginStateVersions } from '../plugin-host/schema.js';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const sessions = pgTable(
  'sessions',
  {
    sessionId: text('session_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    /** Null until the first full turn has given it one. */
    title: text('title'),
    /** Null unless it was created for a Matrix room. */
    roomId: text('room_id'),
    createdAt: moment('created_at').notNull(),
    lastUpdatedAt: moment('last_updated_at').notNull(),
    archivedAt: moment('archived_at'),
    /** Which is selected; null for the trunk. */
    branch: jsonb('branch').$type<Branch>(),
  },
  (table) => [
    unique('sessions_owner_session_key').on(table.ownerDid, table.sessionId),
    index('sessions_owner_activity_idx').on(table.ownerDid, table.lastUpdatedAt, table.sessionId),
  ],
);

/** The words of a text, of whatever language. Of a text beyond all measure the beginning: the rest would be too long for the index. */
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
    /** A turn is one message of the user and what answered it: the run's id. */
    turnId: text('turn_id').notNull(),
    type: text('type', { enum: ['human', 'ai'] }).notNull(),
    content: text('content').notNull(),
    /** Calls of tools with their results, in the order in which they were made. */
    toolCalls: jsonb('tool_calls').$type<readonly StoredToolCall[]>(),
    components: jsonb('components').$type<readonly StoredComponent[]>(),
    reasoning: text('reasoning'),
    /** How the turn of an answer ended; null for messages of users, and answers of before this was kept. */
    status: text('status').$type<AnswerStatus>(),
    /** Why the answer ends where it does, where that is not its own end. */
    finishReason: text('finish_reason', { enum: ['length'] }),
    attachments: jsonb('attachments').$type<readonly StoredAttachment[]>(),
    createdAt: moment('created_at').notNull(),
    /** Of a message of a user: what its turn is on; null for the trunk. */
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

/** What turns took of which a meter could not be told. Without the session's key: nobody gets rid of a charge by deleting what it is for. */
export const untoldUsage = pgTable(
  'untold_usage',
  {
    runId: text('run_id').notNull(),
    part: integer('part').notNull(),
    ownerDid: text('owner_did').notNull(),
    usage: jsonb('usage').$type<Omit<MeteredTurn, 'runId' | 'part' | 'ownerDid' | 'waitsUntil'>>().notNull(),
    waitsUntil: moment('waits_until'),
    /** How often meters were told again, and from when on that may be done once more. */
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.part] }),
    index('untold_usage_due_idx').on(table.nextAttemptAt),
    index('untold_usage_owner_idx').on(table.ownerDid, table.runId),
  ],
);

/** What the tools of runs were asked to do: written before a call is made, and what came of it after. */
export const toolCalls = pgTable(
  'tool_calls',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.runId, { onDelete: 'cascade' }),
    callId: text('call_id').notNull(),
    /** Order within the run. */
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    plugin: text('plugin').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ['action'] }),
    args: jsonb('args').$type<Readonly<Record<string, unknown>>>().notNull(),
    /** Null while nobody knows whether it took effect. */
    outcome: jsonb('outcome').$type<CallOutcome>(),
    begunAt: moment('begun_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    /** Of a call that somebody has to allow first: whether they did, and whether it was begun then. */
    approval: text('approval', { enum: ['waiting', 'allowed', 'denied', 'begun'] }),
    /** What they are asked. */
    ask: jsonb('ask').$type<ApprovalAsk>(),
    /** Until then it waits. */
    expiresAt: moment('expires_at'),
    /** What they said to it. */
    why: text('why'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.callId] }),
    index('tool_calls_waiting_idx').on(table.expiresAt).where(sql`approval = 'waiting'`),
  ],
);

/** What a turn that waits for its user goes on with. */
export const pausedTurns = pgTable('paused_turns', {
  runId: text('run_id')
    .primaryKey()
    .references(() => runs.runId, { onDelete: 'cascade' }),
  state: jsonb('state').$type<PausedTurn>().notNull(),
});

/** What users have said of tools for good: that they are allowed, or that they want to be asked. */
export const approvalRules = pgTable(
  'approval_rules',
  {
    ruleId: text('rule_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    plugin: text('plugin').notNull(),
    tool: text('tool').notNull(),
    says: text('says').$type<'allow' | 'ask'>().notNull().default('allow'),
    /** Of the tool as it was then: for another one nothing is allowed. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [unique('approval_rules_tool_key').on(table.ownerDid, table.plugin, table.tool)],
);

const summaryColumns = {
  ownerDid: text('owner_did').notNull(),
  /** The place of the last turn that is in it: the position of that turn's first message. It only ever grows. */
  upTo: bigint('up_to', { mode: 'number' }).notNull(),
  text: text('text').notNull(),
  /** What from outside was read for it. Null where that was not written down. */
  sources: jsonb('sources').$type<readonly string[]>(),
  updatedAt: moment('updated_at').notNull(),
};

/** What was said before the newest turns of a session, in short. */
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

/** The same of branches: of what is before their newest turns. A table of its own: processes of the version before know nothing of it. */
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

/** How a user wants to be talked to. */
export const preferences = pgTable('preferences', {
  ownerDid: text('owner_did').primaryKey(),
  record: jsonb('record').$type<UserPreferences>().notNull(),
  updatedAt: moment('updated_at').notNull(),
});

/** What of it is otherwise in sessions of one Matrix room. A table of its own: processes of the version before know nothing of it. */
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

/** What a user has delegated to this oracle, sealed. */
export const delegations = pgTable('delegations', {
  ownerDid: text('owner_did').primaryKey(),
  sealed: text('sealed').notNull(),
  /** Unix seconds; null for a delegation without an end. */
  expiresAt: bigint('expires_at', { mode: 'number' }),
});
