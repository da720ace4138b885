import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** What users have paid ahead, in tokens: in one row with all that goes from it, so that one statement decides over it. */
export const creditAccounts = pgTable('credit_accounts', {
  ownerDid: text('owner_did').primaryKey(),
  balance: bigint('balance', { mode: 'number' }).notNull(),
  /** The sum of the open claims. */
  owed: bigint('owed', { mode: 'number' }).notNull().default(0),
  /** The sum of the holds. */
  held: bigint('held', { mode: 'number' }).notNull().default(0),
});

/** What users have used, and what was asked of those without credits. The indexes stand in the migrations. */
export const creditClaims = pgTable('credit_claims', {
  claimId: text('claim_id').primaryKey(),
  ownerDid: text('owner_did').notNull(),
  /** Order in which they were opened. */
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
  openedAt: moment('opened_at').notNull(),
  settledAt: moment('settled_at'),
  /** How often it was handed on, and from when on that may be done again. */
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: moment('next_attempt_at').notNull().default(new Date(0)),
});

/** What is set aside for runs that have not ended. */
export const creditHolds = pgTable('credit_holds', {
  runId: text('run_id').primaryKey(),
  ownerDid: text('owner_did').notNull(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
  expiresAt: moment('expires_at').notNull(),
});

/** Payments that were counted, so that none is counted twice. */
export const creditTopUps = pgTable('credit_top_ups', {
  topUpId: text('top_up_id').primaryKey(),
  /** Empty once whoever paid has had their data deleted. */
  ownerDid: text('owner_did').notNull(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
  createdAt: moment('created_at').notNull(),
});
