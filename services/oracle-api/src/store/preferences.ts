import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { type OracleDatabase, storableJson } from './database.js';
import { preferences, roomPreferences, type UserPreferences } from './schema.js';

export interface StoredPreferences extends UserPreferences {
  readonly updatedAt: Date;
}

/** Maximum rooms with their own record; those changed least recently are deleted. */
export const roomsPerUser = 200;

/**
 * Preferences of each user: for all of their sessions, with overrides for the sessions of a Matrix room. Unset fields of a room fall back
 * to the user's record.
 * Atomicity: concurrent merges both take effect; for the same field the later one applies.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class PreferencesStore {
  readonly #db: OracleDatabase;
  // Prepared once, because every turn runs them.
  readonly #ofUser: ReturnType<typeof findStatement>;
  readonly #ofRoom: ReturnType<typeof findOfRoomStatement>;

  constructor(db: OracleDatabase) {
    this.#db = db;
    this.#ofUser = findStatement(db);
    this.#ofRoom = findOfRoomStatement(db);
  }

  /** The preferences in the room; without one, the user's record. `updatedAt` is of the room's record, if present. */
  async find(ownerDid: string, roomId?: string): Promise<StoredPreferences | undefined> {
    if (roomId === undefined) return recordOf(await this.#ofUser.execute({ ownerDid }));
    const found = await Promise.all([this.#ofUser.execute({ ownerDid }), this.#ofRoom.execute({ ownerDid, roomId })]);
    return recordOf(found.flat());
  }

  /** Sets the fields of `changes` in the record of the room or of the user, and returns the resulting preferences. */
  async merge(ownerDid: string, changes: UserPreferences, at: Date, roomId?: string): Promise<StoredPreferences> {
    const merging =
      roomId === undefined
        ? this.#mergeOfUser(ownerDid, changes, at)
        : this.#mergeOfRoom(ownerDid, roomId, changes, at);
    const merged = recordOf(await merging);
    if (merged === undefined) throw new Error('an upsert returned no row');
    return merged;
  }

  /** Replaces the user's record; absent fields are removed. Records of rooms are unchanged. */
  async replace(ownerDid: string, fields: UserPreferences, updatedAt: Date): Promise<StoredPreferences> {
    const record = storableJson(fields);
    const values = { ownerDid, record, updatedAt };
    await this.#db
      .insert(preferences)
      .values(values)
      .onConflictDoUpdate({ target: preferences.ownerDid, set: { record, updatedAt } });
    return { ...record, updatedAt };
  }

  async #mergeOfUser(ownerDid: string, changes: UserPreferences, updatedAt: Date) {
    return this.#db
      .insert(preferences)
      .values({ ownerDid, record: storableJson(changes), updatedAt })
      .onConflictDoUpdate({
        target: preferences.ownerDid,
        set: { record: sql`${preferences.record} || excluded.record`, updatedAt },
      })
      .returning();
  }

  async #mergeOfRoom(ownerDid: string, roomId: string, changes: UserPreferences, updatedAt: Date) {
    const merged = await this.#db
      .insert(roomPreferences)
      .values({ ownerDid, roomId, record: storableJson(changes), updatedAt })
      .onConflictDoUpdate({
        target: [roomPreferences.ownerDid, roomPreferences.roomId],
        set: { record: sql`${roomPreferences.record} || excluded.record`, updatedAt },
      })
      .returning();
    const isOwned = eq(roomPreferences.ownerDid, ownerDid);
    const tooMany = this.#db
      .select({ roomId: roomPreferences.roomId })
      .from(roomPreferences)
      .where(isOwned)
      .orderBy(desc(roomPreferences.updatedAt))
      .offset(roomsPerUser);
    await this.#db.delete(roomPreferences).where(and(isOwned, inArray(roomPreferences.roomId, tooMany)));
    return [...(await this.#ofUser.execute({ ownerDid })), ...merged];
  }
}

function findStatement(db: OracleDatabase) {
  return db
    .select()
    .from(preferences)
    .where(eq(preferences.ownerDid, sql.placeholder('ownerDid')))
    .prepare('find_preferences');
}

function findOfRoomStatement(db: OracleDatabase) {
  const { ownerDid, roomId } = roomPreferences;
  return db
    .select()
    .from(roomPreferences)
    .where(and(eq(ownerDid, sql.placeholder('ownerDid')), eq(roomId, sql.placeholder('roomId'))))
    .prepare('find_room_preferences');
}

/** Merges the records: fields of a later one override earlier ones. */
export function recordOf(rows: readonly { record: UserPreferences; updatedAt: Date }[]): StoredPreferences | undefined {
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  return { ...Object.assign({}, ...rows.map(({ record }) => record)), updatedAt: last.updatedAt };
}
