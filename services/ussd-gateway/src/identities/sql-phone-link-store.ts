import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { CodeMaker, PhoneLink, PhoneLinkStore } from './phone-link-store.js';
import { linkCodes, phoneIdentities } from './schema.js';

type Database = SqlDatabase<Record<string, unknown>>;

const now = sql`now()`;

/** Links of phones in Postgres or PGlite. */
export class SqlPhoneLinkStore implements PhoneLinkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async keepCode(mac: string, maker: CodeMaker, lifeMs: number): Promise<void> {
    const earlier =
      'phone' in maker ? and(eq(linkCodes.phone, maker.phone), isNull(linkCodes.did)) : eq(linkCodes.did, maker.did);
    const until = sql`now() + ${`${lifeMs} milliseconds`}::interval`;
    await this.#db.transaction(async (transaction) => {
      await transaction.delete(linkCodes).where(earlier);
      await transaction
        .insert(linkCodes)
        .values({ mac, ...maker, until })
        .onConflictDoNothing();
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
    const isFree = or(isNull(phoneIdentities.linkedDid), eq(phoneIdentities.linkedDid, did));
    const linked = await this.#db
      .update(phoneIdentities)
      .set({ linkedDid: did, sealedLink })
      .where(and(eq(phoneIdentities.phone, phone), isFree))
      .returning({ phone: phoneIdentities.phone });
    return linked.length > 0;
  }

  async unlink(phone: string, sealedLink: string): Promise<void> {
    await this.#db
      .update(phoneIdentities)
      .set({ linkedDid: null, sealedLink: null })
      .where(and(eq(phoneIdentities.phone, phone), eq(phoneIdentities.sealedLink, sealedLink)));
  }
}
