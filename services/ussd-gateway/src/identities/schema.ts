import { date, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Phones by the identity that each has at the oracle. */
export const phoneIdentities = pgTable('phone_identities', {
  /** E.164. */
  phone: text('phone').primaryKey(),
  /** A did:key. */
  did: text('did').notNull().unique('phone_identities_did'),
  /** The seed of its key, sealed for the DID. */
  sealedSeed: text('sealed_seed').notNull(),
  /** What lets this gateway converse for it, sealed for the DID. */
  sealedGrant: text('sealed_grant').notNull(),
  /** Its conversation at the oracle. */
  sessionId: text('session_id'),
  /** The day of the last question, and how many there were on it. */
  askedOn: date('asked_on', { mode: 'string' }),
  asked: integer('asked').notNull().default(0),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3, mode: 'date' }).notNull().defaultNow(),
});
