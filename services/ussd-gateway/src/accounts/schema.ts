import { boolean, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Subscribers by number, with or without an account. */
export const phones = pgTable('phones', {
  /** E.164. */
  number: text('number').primaryKey(),
  /** The chosen language; null without a choice. */
  language: text('language'),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const customers = pgTable(
  'customers',
  {
    /** `C` and 8 characters. */
    id: text('id').primaryKey(),
    /** Identifies the hop that created it: a retry finds the account. */
    creationKey: text('creation_key').notNull().unique('customers_creation_key'),
    fullName: text('full_name').notNull(),
    email: text('email'),
    /** The number that the account was created from. */
    phone: text('phone')
      .notNull()
      .references(() => phones.number),
    /** Sealed for this customer; never erased. */
    sealedPin: text('sealed_pin').notNull(),
    /** The expiry of a one-time code in place of a PIN. */
    codeUntil: moment('code_until'),
    /** Key of the attempt that was right by the code: its hop may choose a new PIN. */
    codeGrant: text('code_grant'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('customers_phone_idx').on(table.phone, table.createdAt)],
);

/** Wrong PINs and locks of customers and phones. */
export const lockouts = pgTable(
  'lockouts',
  {
    /**
     * `owner:<customer id>` for the customer's own phone, `customer:<id>` for all other phones, the decoy for unknown ids, or
     * `phone:<number>`.
     */
    subject: text('subject').primaryKey(),
    /** Attempts that were wrong, or are not settled. */
    wrong: integer('wrong').notNull().default(0),
    /** Consecutive locks: each lasts twice as long as the previous one. */
    locks: integer('locks').notNull().default(0),
    lockedUntil: moment('locked_until'),
    lastWrongAt: moment('last_wrong_at'),
  },
  (table) => [index('lockouts_last_wrong_at_idx').on(table.lastWrongAt)],
);

/** Attempts at PINs by the key of the hop, so that a retry costs no second attempt. */
export const pinAttempts = pgTable(
  'pin_attempts',
  {
    key: text('key').primaryKey(),
    /** The customer's id, or the decoy of an unknown id. */
    customerId: text('customer_id').notNull(),
    phone: text('phone').notNull(),
    outcome: text('outcome', { enum: ['open', 'wrong', 'right'] }).notNull(),
    /** Attempts left after this one. */
    attemptsLeft: integer('attempts_left').notNull(),
    /** Whether it counts as wrong for its phone. */
    counts: boolean('counts').notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [
    index('pin_attempts_phone_idx').on(table.phone, table.at),
    index('pin_attempts_customer_idx').on(table.customerId),
    index('pin_attempts_at_idx').on(table.at),
  ],
);
