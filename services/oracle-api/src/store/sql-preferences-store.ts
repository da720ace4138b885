import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import {
  type PreferencesStore,
  roomsPerUser,
  type StoredPreferences,
  type UserPreferences,
} from './preferences-store.js';
import type * as schema from './schema.js';
import { preferences, roomPreferences } from './schema.js';
import { storableJson } from './storable.js';

/** Preferences in Postgres or PGlite. */
export class SqlPreferencesStore implements PreferencesStore {
  readonly #db: SqlDatabase<typeof schema>;
  readonly #find: ReturnType<typeof findStatement>;
  readonly #findInRoom: ReturnType<typeof findInRoomStatement>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
    this.#find = findStatement(db);
    this.#findInRoom = findInRoomStatement(db);
  }

  async find(ownerDid: string, roomId?: string): Promise<StoredPreferences | undefined> {
    if (roomId === undefined) return recordOf(await this.#find.execute({ ownerDid }));
    const [own, ofRoom] = await Promise.all([
      this.#find.execute({ ownerDid }),
      this.#findInRoom.execute({ ownerDid, roomId }),
    ]);
    return recordOf([...own, ...ofRoom]);
  }

  async merge(ownerDid: string, changes: UserPreferences, at: Date, roomId?: string): Promise<StoredPreferences> {
    if (roomId !== undefined) return this.#mergeInRoom(ownerDid, changes, at, roomId);
    const [row] = await this.#db
      .insert(preferences)
      .values({ ownerDid, record: storableJson(changes), updatedAt: at })
      .onConflictDoUpdate({
        target: preferences.ownerDid,
        set: { record: sql`${preferences.record} || excluded.record`, updatedAt: at },
      })
      .returning();
    if (row === undefined) throw new Error('an upsert gave no row back');
    return { ...row.record, updatedAt: row.updatedAt };
  }

  async #mergeInRoom(ownerDid: string, changes: UserPreferences, at: Date, roomId: string): Promise<StoredPreferences> {
    const rows = await this.#db
      .insert(roomPreferences)
      .values({ ownerDid, roomId, record: storableJson(changes), updatedAt: at })
      .onConflictDoUpdate({
        target: [roomPreferences.ownerDid, roomPreferences.roomId],
        set: { record: sql`${roomPreferences.record} || excluded.record`, updatedAt: at },
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
    const merged = recordOf([...(await this.#find.execute({ ownerDid })), ...rows]);
    if (merged === undefined) throw new Error('an upsert gave no row back');
    return merged;
  }
}

/** The records as one: a later one stands before those that it falls back to. */
function recordOf(rows: readonly { record: UserPreferences; updatedAt: Date }[]): StoredPreferences | undefined {
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  return { ...Object.assign({}, ...rows.map(({ record }) => record)), updatedAt: last.updatedAt };
}

/** Every turn asks this, so it is put together once. */
function findStatement(db: SqlDatabase<typeof schema>) {
  const isOwned = eq(preferences.ownerDid, sql.placeholder('ownerDid'));
  return db.select().from(preferences).where(isOwned).prepare('find_preferences');
}

/** As often, in sessions of rooms. */
function findInRoomStatement(db: SqlDatabase<typeof schema>) {
  const isOwned = eq(roomPreferences.ownerDid, sql.placeholder('ownerDid'));
  const isThere = eq(roomPreferences.roomId, sql.placeholder('roomId'));
  return db.select().from(roomPreferences).where(and(isOwned, isThere)).prepare('find_room_preferences');
}
