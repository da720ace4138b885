import { boolean, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Subscribers by number, whether they have an account or not. */
export const phones = pgTable('phones', {
  /** E.164. */
  number: text('number').primaryKey(),
  /** The subscriber's own choice; null until there is one. */
  language: text('language'),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const customers = pgTable(
  'customers',
  {
    /** `C` and 8 characters. */
    id: text('id').primaryKey(),
    /** Names the hop that created it: the same hop, tried again, finds it. */
    creationKey: text('creation_key').notNull().unique('customers_creation_key'),
    fullName: text('full_name').notNull(),
    email: text('email'),
    /** The number that the account was created from. */
    phone: text('phone')
      .notNull()
      .references(() => phones.number),
    /** Sealed for this customer; never erased. */
    sealedPin: text('sealed_pin').notNull(),
    /** While what is sealed is a code of an operator in place of a PIN: until when it opens. */
    codeUntil: moment('code_until'),
    /** The key of the attempt that was right by that code: whoever made it may choose a new PIN. */
    codeGrant: text('code_grant'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('customers_phone_idx').on(table.phone, table.createdAt)],
);

/** How many wrong PINs a customer or a phone has, and until when no more are taken. */
export const lockouts = pgTable(
  'lockouts',
  {
    /**
     * `owner:<customer id>` for the customer's own phone, `customer:<id>` for all others together, `nobody:<decoy>` for ids that
     * nobody has, or `phone:<number>`.
     */
    subject: text('subject').primaryKey(),
    /** Attempts that were wrong, or are not yet known to be right. */
    wrong: integer('wrong').notNull().default(0),
    /** Locks in a row: each lasts twice as long as the one before. */
    locks: integer('locks').notNull().default(0),
    lockedUntil: moment('locked_until'),
    lastWrongAt: moment('last_wrong_at'),
  },
  (table) => [index('lockouts_last_wrong_at_idx').on(table.lastWrongAt)],
);

/** Each attempt at a PIN under the key of its hop, so that a hop that is tried again costs one. */
export const pinAttempts = pgTable(
  'pin_attempts',
  {
    key: text('key').primaryKey(),
    /** The customer's, or `nobody:<decoy>` for an id that nobody has. */
    customerId: text('customer_id').notNull(),
    phone: text('phone').notNull(),
    outcome: text('outcome', { enum: ['open', 'wrong', 'right'] }).notNull(),
    /** Attempts left after this one. */
    attemptsLeft: integer('attempts_left').notNull(),
    /** Whether it is among the wrong ones of its phone. */
    counts: boolean('counts').notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [
    index('pin_attempts_phone_idx').on(table.phone, table.at),
    index('pin_attempts_customer_idx').on(table.customerId),
    index('pin_attempts_at_idx').on(table.at),
  ],
);
