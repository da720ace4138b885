import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { OracleDatabase } from './database.js';
import { preferences, roomPreferences, type UserPreferences } from './schema.js';
import { storableJson } from './storable.js';

export interface StoredPreferences extends UserPreferences {
  readonly updatedAt: Date;
}

/** Maximum rooms with their own record; those changed least recently are deleted. */
export const roomsPerUser = 200;

/**
 * Preferences of each user: for all of their sessions, with overrides for the sessions of a Matrix room. Unset fields of a room fall back
 * to the user's record.
 * Atomicity: concurrent merges both take effect; for the same field the later one applies.
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface PreferencesStore {
  /** The preferences in the room; without one, the user's record. `updatedAt` is of the room's record, if present. */
  find(ownerDid: string, roomId?: string): Promise<StoredPreferences | undefined>;
  /** Sets the given fields in the record of the room or of the user, and returns the resulting preferences. */
  merge(ownerDid: string, changes: UserPreferences, at: Date, roomId?: string): Promise<StoredPreferences>;
  /** Replaces the user's record; fields that are not given are removed. Records of rooms are unchanged. */
  replace(ownerDid: string, record: UserPreferences, at: Date): Promise<StoredPreferences>;
}

/** Preferences in Postgres or PGlite. */
export function sqlPreferencesStore(db: OracleDatabase): PreferencesStore {
  // Prepared once, because every turn runs them.
  const ofUser = db
    .select()
    .from(preferences)
    .where(eq(preferences.ownerDid, sql.placeholder('ownerDid')))
    .prepare('find_preferences');
  const ofRoom = db
    .select()
    .from(roomPreferences)
    .where(
      and(
        eq(roomPreferences.ownerDid, sql.placeholder('ownerDid')),
        eq(roomPreferences.roomId, sql.placeholder('roomId')),
      ),
    )
    .prepare('find_room_preferences');

  async function mergeOfUser(ownerDid: string, changes: UserPreferences, updatedAt: Date) {
    return db
      .insert(preferences)
      .values({ ownerDid, record: storableJson(changes), updatedAt })
      .onConflictDoUpdate({
        target: preferences.ownerDid,
        set: { record: sql`${preferences.record} || excluded.record`, updatedAt },
      })
      .returning();
  }

  async function mergeOfRoom(ownerDid: string, roomId: string, changes: UserPreferences, updatedAt: Date) {
    const merged = await db
      .insert(roomPreferences)
      .values({ ownerDid, roomId, record: storableJson(changes), updatedAt })
      .onConflictDoUpdate({
        target: [roomPreferences.ownerDid, roomPreferences.roomId],
        set: { record: sql`${roomPreferences.record} || excluded.record`, updatedAt },
      })
      .returning();
    const isOwned = eq(roomPreferences.ownerDid, ownerDid);
    const tooMany = db
      .select({ roomId: roomPreferences.roomId })
      .from(roomPreferences)
      .where(isOwned)
      .orderBy(desc(roomPreferences.updatedAt))
      .offset(roomsPerUser);
    await db.delete(roomPreferences).where(and(isOwned, inArray(roomPreferences.roomId, tooMany)));
    return [...(await ofUser.execute({ ownerDid })), ...merged];
  }

  return {
    async find(ownerDid, roomId) {
      if (roomId === undefined) return recordOf(await ofUser.execute({ ownerDid }));
      const found = await Promise.all([ofUser.execute({ ownerDid }), ofRoom.execute({ ownerDid, roomId })]);
      return recordOf(found.flat());
    },

    async merge(ownerDid, changes, at, roomId) {
      const merging =
        roomId === undefined ? mergeOfUser(ownerDid, changes, at) : mergeOfRoom(ownerDid, roomId, changes, at);
      const merged = recordOf(await merging);
      if (merged === undefined) throw new Error('an upsert returned no row');
      return merged;
    },

    async replace(ownerDid, given, updatedAt) {
      const record = storableJson(given);
      const values = { ownerDid, record, updatedAt };
      await db
        .insert(preferences)
        .values(values)
        .onConflictDoUpdate({ target: preferences.ownerDid, set: { record, updatedAt } });
      return { ...record, updatedAt };
    },
  };
}

/** Merges the records: fields of a later one override earlier ones. */
export function recordOf(rows: readonly { record: UserPreferences; updatedAt: Date }[]): StoredPreferences | undefined {
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  return { ...Object.assign({}, ...rows.map(({ record }) => record)), updatedAt: last.updatedAt };
}
