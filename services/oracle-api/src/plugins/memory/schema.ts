import { type SQL, sql } from 'drizzle-orm';
import { bigint, customType, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const searchedWords = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Memories of users. The indexes are defined in the migrations. */
export const memories = pgTable('memories', {
  ownerDid: text('owner_did').notNull(),
  memoryId: text('memory_id').notNull(),
  /** Order of their creation. */
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  kind: text('kind', { enum: ['fact', 'artifact'] }).notNull(),
  title: text('title'),
  content: text('content').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3, mode: 'date' }).notNull(),
  words: searchedWords('words')
    .generatedAlwaysAs(
      (): SQL => sql`to_tsvector('english', coalesce(${memories.title}, '') || ' ' || ${memories.content})`,
    )
    .notNull(),
});
