import type { SqlDatabase } from '@mlango/service-kit/database';
import { ServiceError } from '@mlango/service-kit/errors';
import { and, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { type DelegationKind, delegationDays, linkCodes, phoneDelegations, phoneIdentities } from './schema.js';

/** A person with the right to converse for a phone. */
export interface PhoneLink {
  readonly did: string;
  /** The sealed delegation from the phone to the person. */
  readonly sealedLink: string;
}

/** A token of a phone that has not expired and is not the grant in use. */
export interface PhoneDelegation {
  readonly id: string;
  readonly kind: DelegationKind;
  readonly sealedToken: string;
}

/** Days after which the links of a phone end, if the phone made no link and sent no question: its number may have another owner. */
const unusedLinkDays = 60;

/** Unexpired links that a phone can have. */
const linksPerPhone = 10;

/** The creator of a code: a phone (E.164), or a person (a DID). */
export type CodeMaker = { readonly phone: string } | { readonly did: string };

/**
 * Links between phones and persons, and the codes that create them. Guarantees: each method is one atomic step for all
 * processes. A code expires by the clock of the database, is stored as its MAC only and returns a phone once. An
 * unavailable store rejects.
 */
export interface PhoneLinkStore {
  /** Replaces earlier codes of the same creator. False if this is the valid code of another one: it is left unchanged. */
  saveCode(mac: string, maker: CodeMaker, lifeMs: number): Promise<boolean>;
  /** Assigns a person's code to the phone on which it was typed. False if there is no free code. */
  typeCode(mac: string, phone: string): Promise<boolean>;
  /**
   * The phone of a code for this person: a code of a phone, or the person's own code once it was typed on one. The code
   * is used up.
   */
  takeCode(mac: string, did: string): Promise<string | undefined>;
  purgeCodes(limit: number): Promise<number>;

  linkOf(phone: string): Promise<PhoneLink | undefined>;
  /**
   * Records a delegation, and makes it the link of the phone. Call this before the token is sent.
   *
   * @returns false if the phone is linked with another person.
   * @throws {ServiceError} `conflict` if the phone has `linksPerPhone` unexpired links.
   */
  link(phone: string, link: PhoneLink): Promise<boolean>;
  /** Every unexpired link and every replaced grant of a phone. */
  delegationsOf(phone: string): Promise<readonly PhoneDelegation[]>;
  /** Phones with links, the newest of them made at least `unusedLinkDays` ago, without a question in that time. */
  phonesWithUnusedLinks(limit: number): Promise<readonly string[]>;
  /** Deletes a delegation that was revoked. */
  removeDelegation(id: string): Promise<void>;
  /** Clears the link of a phone if it is still this one. */
  unlink(phone: string, sealedLink: string): Promise<void>;
  /** Deletes expired delegations. */
  purgeDelegations(limit: number): Promise<number>;
}

type Database = SqlDatabase<Record<string, unknown>>;

const now = sql`now()`;

/** Links of phones in Postgres or PGlite. */
export class SqlPhoneLinkStore implements PhoneLinkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async saveCode(mac: string, maker: CodeMaker, lifeMs: number): Promise<boolean> {
    const earlier =
      'phone' in maker ? and(eq(linkCodes.phone, maker.phone), isNull(linkCodes.did)) : eq(linkCodes.did, maker.did);
    const until = sql`now() + ${`${lifeMs} milliseconds`}::interval`;
    return this.#db.transaction(async (transaction) => {
      await transaction.delete(linkCodes).where(earlier);
      const saved = await transaction
        .insert(linkCodes)
        .values({ mac, ...maker, until })
        .onConflictDoUpdate({
          target: linkCodes.mac,
          set: { phone: null, did: null, ...maker, until },
          setWhere: sql`(${earlier}) or ${linkCodes.until} <= ${now}`,
        })
        .returning({ mac: linkCodes.mac });
      return saved.length > 0;
    });
  }

  async typeCode(mac: string, phone: string): Promise<boolean> {
    const isFree = or(isNull(linkCodes.phone), eq(linkCodes.phone, phone));
    const typed = await this.#db
      .update(linkCodes)
      .set({ phone })
      .where(and(eq(linkCodes.mac, mac), gt(linkCodes.until, now), isNotNull(linkCodes.did), isFree))
      .returning({ mac: linkCodes.mac });
    return typed.length > 0;
  }

  async takeCode(mac: string, did: string): Promise<string | undefined> {
    const isTheirs = or(isNull(linkCodes.did), eq(linkCodes.did, did));
    const [taken] = await this.#db
      .delete(linkCodes)
      .where(and(eq(linkCodes.mac, mac), gt(linkCodes.until, now), isNotNull(linkCodes.phone), isTheirs))
      .returning({ phone: linkCodes.phone });
    return taken?.phone ?? undefined;
  }

  async purgeCodes(limit: number): Promise<number> {
    const old = this.#db.select({ mac: linkCodes.mac }).from(linkCodes).where(lt(linkCodes.until, now)).limit(limit);
    return (await this.#db.delete(linkCodes).where(inArray(linkCodes.mac, old)).returning({ mac: linkCodes.mac }))
      .length;
  }

  async linkOf(phone: string): Promise<PhoneLink | undefined> {
    const [row] = await this.#db
      .select({ did: phoneIdentities.linkedDid, sealedLink: phoneIdentities.sealedLink })
      .from(phoneIdentities)
      .where(eq(phoneIdentities.phone, phone));
    if (row === undefined || row.did === null || row.sealedLink === null) return undefined;
    return { did: row.did, sealedLink: row.sealedLink };
  }

  async link(phone: string, { did, sealedLink }: PhoneLink): Promise<boolean> {
    return this.#db.transaction(async (transaction) => {
      const [identity] = await transaction
        .select({ did: phoneIdentities.linkedDid, sealedLink: phoneIdentities.sealedLink })
        .from(phoneIdentities)
        .where(eq(phoneIdentities.phone, phone))
        .for('update');
      if (identity === undefined || (identity.did !== null && identity.did !== did)) return false;
      // The previous release records a link in `phone_identities` only.
      if (identity.sealedLink !== null) await recordOnce(transaction, phone, 'link', identity.sealedLink);
      const isUnexpiredLink = and(isUnexpiredOf(phone), eq(phoneDelegations.kind, 'link'));
      if ((await transaction.$count(phoneDelegations, isUnexpiredLink)) >= linksPerPhone) throw tooManyLinks();
      await recordOnce(transaction, phone, 'link', sealedLink);
      await transaction
        .update(phoneIdentities)
        .set({ linkedDid: did, sealedLink })
        .where(eq(phoneIdentities.phone, phone));
      return true;
    });
  }

  async delegationsOf(phone: string): Promise<readonly PhoneDelegation[]> {
    const { id, kind, sealedToken } = phoneDelegations;
    return this.#db.select({ id, kind, sealedToken }).from(phoneDelegations).where(isUnexpiredOf(phone));
  }

  async phonesWithUnusedLinks(limit: number): Promise<readonly string[]> {
    const { phone, kind, expiresAt } = phoneDelegations;
    // A link is recorded until a day after its end.
    const leftDays = delegationDays.link + 1 - unusedLinkDays;
    const isUnused = sql`${phoneIdentities.questionDay} < (now() at time zone 'utc')::date - ${unusedLinkDays}::int`;
    const rows = await this.#db
      .select({ phone })
      .from(phoneDelegations)
      .innerJoin(phoneIdentities, eq(phoneIdentities.phone, phone))
      .where(and(eq(kind, 'link'), gt(expiresAt, now), or(isNull(phoneIdentities.questionDay), isUnused)))
      .groupBy(phone)
      .having(sql`max(${expiresAt}) < now() + ${`${leftDays} days`}::interval`)
      .limit(limit);
    return rows.map((row) => row.phone);
  }

  async removeDelegation(id: string): Promise<void> {
    await this.#db.delete(phoneDelegations).where(eq(phoneDelegations.id, id));
  }

  async purgeDelegations(limit: number): Promise<number> {
    const { id, expiresAt } = phoneDelegations;
    const expired = this.#db.select({ id }).from(phoneDelegations).where(lt(expiresAt, now)).limit(limit);
    return (await this.#db.delete(phoneDelegations).where(inArray(id, expired)).returning({ id })).length;
  }

  async unlink(phone: string, sealedLink: string): Promise<void> {
    await this.#db
      .update(phoneIdentities)
      .set({ linkedDid: null, sealedLink: null })
      .where(and(eq(phoneIdentities.phone, phone), eq(phoneIdentities.sealedLink, sealedLink)));
  }
}

const isUnexpiredOf = (phone: string) => and(eq(phoneDelegations.phone, phone), gt(phoneDelegations.expiresAt, now));

const tooManyLinks = () =>
  new ServiceError(
    'conflict',
    `This phone has ${linksPerPhone} links that have not expired: end them on the phone first`,
  );

/** Records a new token. It is stored a day beyond its expiry, since two clocks are involved. */
export async function recordOnce(
  db: Database,
  phone: string,
  kind: DelegationKind,
  sealedToken: string,
): Promise<void> {
  const isSame = and(eq(phoneDelegations.phone, phone), eq(phoneDelegations.sealedToken, sealedToken));
  if ((await db.$count(phoneDelegations, isSame)) > 0) return;
  const expiresAt = sql`now() + ${`${delegationDays[kind] + 1} days`}::interval`;
  await db.insert(phoneDelegations).values({ phone, kind, sealedToken, expiresAt });
}
