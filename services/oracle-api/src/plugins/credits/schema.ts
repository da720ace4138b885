import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Prepaid tokens of users: balance, debts and holds in one row, so that one statement can check them. */
export const creditAccounts = pgTable('credit_accounts', {
  ownerDid: text('owner_did').primaryKey(),
  balance: bigint('balance', { mode: 'number' }).notNull(),
  /** The sum of the open claims. */
  owed: bigint('owed', { mode: 'number' }).notNull().default(0),
  /** The sum of the holds. */
  held: bigint('held', { mode: 'number' }).notNull().default(0),
});

/** Usage of users, and claims of 0 tokens. The indexes are defined in the migrations. */
export const creditClaims = pgTable('credit_claims', {
  claimId: text('claim_id').primaryKey(),
  ownerDid: text('owner_did').notNull(),
  /** Order of their opening. */
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
  openedAt: moment('opened_at').notNull(),
  settledAt: moment('settled_at'),
  /** Number of submissions, and the earliest time of the next one. */
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: moment('next_attempt_at').notNull().default(new Date(0)),
});

/** Reservations for runs that have not ended. */
export const creditHolds = pgTable('credit_holds', {
  runId: text('run_id').primaryKey(),
  ownerDid: text('owner_did').notNull(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
  expiresAt: moment('expires_at').notNull(),
});

/** Counted payments, so that no payment counts twice. */
export const creditTopUps = pgTable('credit_top_ups', {
  topUpId: text('top_up_id').primaryKey(),
  /** Empty after the user's data are deleted. */
  ownerDid: text('owner_did').notNull(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
  createdAt: moment('created_at').notNull(),
});
