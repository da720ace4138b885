import type { SqlDatabase } from '@mlango/service-kit/database';
import { eq, sql } from 'drizzle-orm';
import type { PreferencesStore, StoredPreferences, UserPreferences } from './preferences-store.js';
import type * as schema from './schema.js';
import { preferences } from './schema.js';
import { storableJson } from './storable.js';

/** Preferences in Postgres or PGlite. */
export class SqlPreferencesStore implements PreferencesStore {
  readonly #db: SqlDatabase<typeof schema>;
  readonly #find: ReturnType<typeof findStatement>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
    this.#find = findStatement(db);
  }

  async find(ownerDid: string): Promise<StoredPreferences | undefined> {
    const [row] = await this.#find.execute({ ownerDid });
    return row === undefined ? undefined : { ...row.record, updatedAt: row.updatedAt };
  }

  async merge(ownerDid: string, changes: UserPreferences, at: Date): Promise<StoredPreferences> {
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
}

/** Every turn asks this, so it is put together once. */
function findStatement(db: SqlDatabase<typeof schema>) {
  const isOwned = eq(preferences.ownerDid, sql.placeholder('ownerDid'));
  return db.select().from(preferences).where(isOwned).prepare('find_preferences');
}
