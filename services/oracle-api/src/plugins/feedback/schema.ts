import type { FeedbackReason } from '@mlango/schemas/oracle-feedback';
import { jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** Feedback of users on answers. What they refer to and the indexes over them stand in the migrations. */
export const feedback = pgTable(
  'feedback',
  {
    ownerDid: text('owner_did').notNull(),
    sessionId: text('session_id').notNull(),
    messageId: text('message_id').notNull(),
    rating: text('rating', { enum: ['up', 'down'] }).notNull(),
    reasons: jsonb('reasons').$type<readonly FeedbackReason[]>().notNull(),
    comment: text('comment'),
    updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3, mode: 'date' }).notNull(),
  },
  // The owner is part of it: what somebody else says is never in the place of theirs.
  (table) => [primaryKey({ columns: [table.ownerDid, table.sessionId, table.messageId] })],
);
