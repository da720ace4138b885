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
} from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Branch } from './branches.js';
import type { AnswerStatus, StoredAttachment, StoredComponent, StoredToolCall } from './sessions.js';

/** How a user wants to be talked to, without the time at which that was last changed. */
export type UserPreferences = Omit<z.infer<typeof userPreferences>, 'updatedAt'>;

/** A time to the millisecond. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

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
    /** True for a session that a request of a program opened. */
    isReplaceable: boolean('is_replaceable'),
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

const { sessionId: _session, ownerDid: _owner, position: _position, ...columns } = getTableColumns(messages);

/** What is read of a message. */
export const messageColumns = columns;
