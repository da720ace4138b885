import { bigint, foreignKey, index, pgTable, primaryKey, text, timestamp, unique } from 'drizzle-orm/pg-core';

/** What the token check keeps: tokens taken back, and single-use ones that were used. */
export { ucanReplays, ucanRevocations } from '@mlango/ucan-auth/postgres-schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const sessions = pgTable(
  'sessions',
  {
    sessionId: text('session_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    /** Null until the first full turn has given it one. */
    title: text('title'),
    createdAt: moment('created_at').notNull(),
    lastUpdatedAt: moment('last_updated_at').notNull(),
  },
  (table) => [
    unique('sessions_owner_session_key').on(table.ownerDid, table.sessionId),
    index('sessions_owner_activity_idx').on(table.ownerDid, table.lastUpdatedAt, table.sessionId),
  ],
);

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
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.messageId] }),
    foreignKey({
      columns: [table.ownerDid, table.sessionId],
      foreignColumns: [sessions.ownerDid, sessions.sessionId],
      name: 'messages_session_fk',
    }).onDelete('cascade'),
    index('messages_session_position_idx').on(table.sessionId, table.position),
  ],
);
