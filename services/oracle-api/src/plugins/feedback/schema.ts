import type { FeedbackReason } from '@mlango/schemas/oracle-feedback';
import { jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** Feedback of users on answers. References and indexes are defined in the migrations. */
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
  // Includes the owner, so that no user replaces another user's feedback.
  (table) => [primaryKey({ columns: [table.ownerDid, table.sessionId, table.messageId] })],
);
