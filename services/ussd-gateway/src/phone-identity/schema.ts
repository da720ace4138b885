import { revocationTable } from '@mlango/ucan-auth/postgres-schema';
import { eq, like, or, type SQL } from 'drizzle-orm';
import { date, index, integer, type PgColumn, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** The holder of a delegation: a person (`link`) or this gateway (`grant`). */
export type DelegationKind = 'link' | 'grant';

/** Days that a link lasts, and days that a grant of this gateway lasts. */
export const delegationDays = { link: 90, grant: 30 } as const satisfies Record<DelegationKind, number>;

/** Revoked tokens of persons. */
export const linkRevocations = revocationTable('link_revocations');

/** Identities of phones at the oracle. */
export const phoneIdentities = pgTable('phone_identities', {
  /** E.164, with `/` and the service unless it is the default one. */
  phone: text('phone').primaryKey(),
  /** A did:key. */
  did: text('did').notNull().unique('phone_identities_did'),
  /** The seed of its key, sealed for the DID. */
  sealedSeed: text('sealed_seed').notNull(),
  /** The grant of this gateway, sealed for the DID. */
  sealedGrant: text('sealed_grant').notNull(),
  /** Its conversation at the oracle. */
  sessionId: text('session_id'),
  /** The day of the last question, and the number of questions on it. */
  questionDay: date('asked_on', { mode: 'string' }),
  questionCount: integer('asked').notNull().default(0),
  /** The linked person: the DID, and the delegation, sealed. */
  linkedDid: text('linked_did'),
  sealedLink: text('sealed_link'),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3, mode: 'date' }).notNull().defaultNow(),
});

/** Unexpired links of phones, and grants that a later grant replaced. The grant in use is in `phone_identities`. */
export const phoneDelegations = pgTable(
  'phone_delegations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** As in `phone_identities`. */
    phone: text('phone').notNull(),
    /** `link`: for a person. `grant`: for this gateway, and replaced by a later one. */
    kind: text('kind').$type<DelegationKind>().notNull(),
    /** Sealed for the DID of the phone. */
    sealedToken: text('sealed_token').notNull(),
    /** At or after the expiry of the token. */
    expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3, mode: 'date' }).notNull(),
  },
  (table) => [
    index('phone_delegations_phone_idx').on(table.phone),
    index('phone_delegations_expires_at_idx').on(table.expiresAt),
  ],
);

/** One-time codes that link phones and persons. */
export const linkCodes = pgTable(
  'link_codes',
  {
    /** Keyed MAC of the code. */
    mac: text('mac').primaryKey(),
    /** The phone that created or typed it, as in `phone_identities`. */
    phone: text('phone'),
    /** The person that created it. */
    did: text('did'),
    until: timestamp('until', { withTimezone: true, precision: 3, mode: 'date' }).notNull(),
  },
  (table) => [index('link_codes_phone_idx').on(table.phone), index('link_codes_until_idx').on(table.until)],
);

/** Matches a number in all services. */
export function isOfNumber(phone: PgColumn, phoneNumber: string): SQL | undefined {
  return or(eq(phone, phoneNumber), like(phone, `${phoneNumber}/%`));
}
