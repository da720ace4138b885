import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { once } from '../effects/once.js';
import { isOfNumber, phoneDelegations, phoneIdentities } from './schema.js';
import { type PhoneDelegation, recordOnce } from './sql-phone-link-store.js';

/**
 * Identity of a phone at the oracle. Each service has a separate identity of the same phone, so that conversations of
 * one service cannot be read in another. `phone` in this folder is the number and the service: E.164, with `/` and the
 * service unless it is the default one.
 */
export interface PhoneIdentity {
  readonly phone: string;
  readonly did: string;
  /** The seed of its key, sealed. */
  readonly sealedSeed: string;
  /** The delegation by which this gateway converses for it, sealed. */
  readonly sealedGrant: string;
  /** Its conversation at the oracle; undefined until there is one. */
  readonly sessionId: string | undefined;
}

/** All sealed values of one identity. */
export interface SealedIdentity extends Pick<PhoneIdentity, 'phone' | 'did' | 'sealedSeed' | 'sealedGrant'> {
  readonly sealedLink: string | undefined;
}

/** A recorded delegation, with the DID of its phone. */
export interface SealedDelegation extends PhoneDelegation {
  readonly did: string;
}

/**
 * Identities of phones. Guarantees: each method is one atomic step for all processes. A phone has one identity in a
 * service: of concurrent creations the first is stored. An unavailable store rejects.
 */
export interface PhoneIdentityStore {
  find(phone: string): Promise<PhoneIdentity | undefined>;
  /** Identities of a number in all services. */
  ofNumber(phoneNumber: string): Promise<readonly PhoneIdentity[]>;
  /** Resolves with the stored identity. */
  save(identity: Omit<PhoneIdentity, 'sessionId'>): Promise<PhoneIdentity>;
  /** Replaces the grant, and records the previous one as a delegation to revoke. */
  setGrant(phone: string, sealedGrant: string): Promise<void>;
  /** Replaces the session `before`. Resolves with the current session of the phone: another process may have been first. */
  setSession(phone: string, before: string | undefined, sessionId: string): Promise<string>;
  /** Counts a question of today, by the clock of the database, once for its key; false at the limit `perDay`. */
  countQuestion(phone: string, key: string, perDay: number): Promise<boolean>;
  /** Whether the identity of a phone was created within the last 24 hours. */
  isNew(phone: string): Promise<boolean>;
  /** A page of identities in the order of their phones, after this one. */
  listSealed(after: string, limit: number): Promise<readonly SealedIdentity[]>;
  /** A page of delegations in the order of their ids, after this one; from the first without an id. */
  listSealedDelegations(after: string | undefined, limit: number): Promise<readonly SealedDelegation[]>;
  /** False if `before` has changed. */
  replaceSealedDelegation(before: SealedDelegation, sealedToken: string): Promise<boolean>;
  /** False if a value of `before` has changed. */
  replaceSealed(before: SealedIdentity, after: SealedIdentity): Promise<boolean>;
}

type Database = SqlDatabase<Record<string, unknown>>;

const { phone, did, sealedSeed, sealedGrant, sealedLink, sessionId, questionDay, questionCount } = phoneIdentities;
const columns = { phone, did, sealedSeed, sealedGrant, sessionId };
const today = sql<string>`(now() at time zone 'utc')::date`;

/** Identities of phones in Postgres or PGlite. */
export class SqlPhoneIdentityStore implements PhoneIdentityStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(number: string): Promise<PhoneIdentity | undefined> {
    const [row] = await this.#db.select(columns).from(phoneIdentities).where(eq(phone, number));
    return row && { ...row, sessionId: row.sessionId ?? undefined };
  }

  async ofNumber(phoneNumber: string): Promise<readonly PhoneIdentity[]> {
    const rows = await this.#db
      .select(columns)
      .from(phoneIdentities)
      .where(isOfNumber(phone, phoneNumber))
      .orderBy(phone);
    return rows.map((row) => ({ ...row, sessionId: row.sessionId ?? undefined }));
  }

  async save(identity: Omit<PhoneIdentity, 'sessionId'>): Promise<PhoneIdentity> {
    await this.#db.insert(phoneIdentities).values(identity).onConflictDoNothing();
    return this.#mustFind(identity.phone);
  }

  async setGrant(number: string, grant: string): Promise<void> {
    await this.#db.transaction(async (transaction) => {
      const [before] = await transaction
        .select({ sealedGrant })
        .from(phoneIdentities)
        .where(eq(phone, number))
        .for('update');
      if (before === undefined) return;
      await recordOnce(transaction, number, 'grant', before.sealedGrant);
      await transaction.update(phoneIdentities).set({ sealedGrant: grant }).where(eq(phone, number));
    });
  }

  async setSession(number: string, before: string | undefined, session: string): Promise<string> {
    const isAsBefore = before === undefined ? isNull(sessionId) : eq(sessionId, before);
    await this.#db
      .update(phoneIdentities)
      .set({ sessionId: session })
      .where(and(eq(phone, number), isAsBefore));
    return (await this.#mustFind(number)).sessionId ?? session;
  }

  async countQuestion(number: string, key: string, perDay: number): Promise<boolean> {
    const { result } = await once(this.#db, `${key} count`, async (transaction) => {
      const isRoom = or(isNull(questionDay), sql`${questionDay} <> ${today}`, lt(questionCount, perDay));
      const counted = await transaction
        .update(phoneIdentities)
        .set({
          questionCount: sql`case when ${questionDay} = ${today} then ${questionCount} + 1 else 1 end`,
          questionDay: today,
        })
        .where(and(eq(phone, number), isRoom))
        .returning({ questionCount });
      return { result: counted.length > 0 ? 'counted' : 'limited' };
    });
    return result === 'counted';
  }

  async isNew(number: string): Promise<boolean> {
    const isRecent = gt(phoneIdentities.createdAt, sql`now() - interval '24 hours'`);
    return (await this.#db.$count(phoneIdentities, and(eq(phone, number), isRecent))) > 0;
  }

  async listSealed(after: string, limit: number): Promise<readonly SealedIdentity[]> {
    const rows = await this.#db
      .select({ phone, did, sealedSeed, sealedGrant, sealedLink })
      .from(phoneIdentities)
      .where(gt(phone, after))
      .orderBy(phone)
      .limit(limit);
    return rows.map((row) => ({ ...row, sealedLink: row.sealedLink ?? undefined }));
  }

  async listSealedDelegations(after: string | undefined, limit: number): Promise<readonly SealedDelegation[]> {
    const { id, kind, sealedToken } = phoneDelegations;
    return this.#db
      .select({ id, kind, sealedToken, did })
      .from(phoneDelegations)
      .innerJoin(phoneIdentities, eq(phone, phoneDelegations.phone))
      .where(after === undefined ? undefined : gt(id, after))
      .orderBy(id)
      .limit(limit);
  }

  async replaceSealedDelegation({ id, sealedToken: before }: SealedDelegation, sealedToken: string): Promise<boolean> {
    const isAsBefore = and(eq(phoneDelegations.id, id), eq(phoneDelegations.sealedToken, before));
    const replaced = await this.#db
      .update(phoneDelegations)
      .set({ sealedToken })
      .where(isAsBefore)
      .returning({ id: phoneDelegations.id });
    return replaced.length > 0;
  }

  async replaceSealed(before: SealedIdentity, after: SealedIdentity): Promise<boolean> {
    const isAsBefore = and(
      eq(phone, before.phone),
      eq(sealedSeed, before.sealedSeed),
      eq(sealedGrant, before.sealedGrant),
      before.sealedLink === undefined ? isNull(sealedLink) : eq(sealedLink, before.sealedLink),
    );
    const sealed = { sealedSeed: after.sealedSeed, sealedGrant: after.sealedGrant, sealedLink: after.sealedLink };
    return this.#db.transaction(async (transaction) => {
      const replaced = await transaction.update(phoneIdentities).set(sealed).where(isAsBefore).returning({ phone });
      if (replaced.length > 0 && before.sealedLink !== undefined && after.sealedLink !== undefined) {
        // The same link is recorded in both tables: they stay equal.
        await transaction
          .update(phoneDelegations)
          .set({ sealedToken: after.sealedLink })
          .where(and(eq(phoneDelegations.phone, before.phone), eq(phoneDelegations.sealedToken, before.sealedLink)));
      }
      return replaced.length > 0;
    });
  }

  async #mustFind(number: string): Promise<PhoneIdentity> {
    const found = await this.find(number);
    if (found === undefined) throw new Error('the identity of a phone was deleted');
    return found;
  }
}
