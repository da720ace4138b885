import { and, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { OracleDatabase } from '../../../store/database.js';
import type { PluginStateStore, StateOwner } from './plugin-state-store.js';
import { pluginState } from './schema.js';

/** Number of expired entries that each put deletes. */
const purgedAtOnce = 20;

const fields = { key: pluginState.key, value: pluginState.value, version: pluginState.version };

/** State of plugins in Postgres or PGlite. */
export function sqlPluginStateStore(db: OracleDatabase): PluginStateStore {
  return {
    async find(owner, key, at) {
      const [row] = await db
        .select(fields)
        .from(pluginState)
        .where(keptBy(owner, at, eq(pluginState.key, key)));
      return row;
    },

    put: (owner, { key, value, version, expiresAt = null, keys, at }) =>
      db.transaction(async (tx) => {
        // Puts of one owner are serialized, so that counts and versions are still valid at the write.
        const name = JSON.stringify([owner.plugin, owner.ownerDid]);
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
        const [found] = await tx
          .select(fields)
          .from(pluginState)
          .where(keptBy(owner, at, eq(pluginState.key, key)));
        if (version !== undefined && version !== (found?.version ?? 0)) return { ok: false, code: 'changed' } as const;
        const isFull = found === undefined && (await tx.$count(pluginState, keptBy(owner, at))) >= keys;
        if (isFull) return { ok: false, code: 'full' } as const;
        const state = { value, version: sql<number>`nextval('plugin_state_versions')`, expiresAt };
        const [written] = await tx
          .insert(pluginState)
          .values({ ...owner, key, ...state })
          .onConflictDoUpdate({ target: [pluginState.plugin, pluginState.ownerDid, pluginState.key], set: state })
          .returning({ version: pluginState.version });
        if (written === undefined) throw new Error('an upsert returned no row');
        await tx.execute(sql`delete from ${pluginState} where ctid in (
        select ctid from ${pluginState} where ${lte(pluginState.expiresAt, at)} limit ${purgedAtOnce} for update skip locked)`);
        return { ok: true, version: written.version } as const;
      }),

    async delete(owner, key, version, at) {
      const isThat = version === undefined ? undefined : eq(pluginState.version, version);
      const deleted = await db
        .delete(pluginState)
        .where(keptBy(owner, at, and(eq(pluginState.key, key), isThat)))
        .returning({ key: pluginState.key });
      return deleted.length > 0;
    },

    list(owner, { prefix, after, limit, at }) {
      const byCodeUnit = sql`${pluginState.key} collate "C"`;
      const isNext = and(sql`starts_with(${pluginState.key}, ${prefix})`, gt(byCodeUnit, after));
      return db
        .select(fields)
        .from(pluginState)
        .where(keptBy(owner, at, isNext))
        .orderBy(byCodeUnit)
        .limit(limit);
    },
  };
}

/** Condition for an owner's entries that have not expired. */
function keptBy({ plugin, ownerDid }: StateOwner, at: Date, which?: SQL): SQL | undefined {
  const isAlive = or(isNull(pluginState.expiresAt), gt(pluginState.expiresAt, at));
  return and(eq(pluginState.plugin, plugin), eq(pluginState.ownerDid, ownerDid), isAlive, which);
}
