import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, count, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type * as schema from '../../store/schema.js';
import { pluginState } from '../../store/schema.js';
import type { PluginStateStore, StateOwner, StatePut, StateRow } from './plugin-state-store.js';

/** Of all that has expired, so much goes with each put. */
const purgedAtOnce = 20;

const fields = { key: pluginState.key, value: pluginState.value, version: pluginState.version };

/** State of plugins in Postgres or PGlite. */
export class SqlPluginStateStore implements PluginStateStore {
  readonly #db: SqlDatabase<typeof schema>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
  }

  async find(owner: StateOwner, key: string, at: Date): Promise<StateRow | undefined> {
    const [row] = await this.#db
      .select(fields)
      .from(pluginState)
      .where(and(ownedBy(owner), eq(pluginState.key, key), isAlive(at)));
    return row;
  }

  put(
    owner: StateOwner,
    {
      key,
      value,
      version,
      expiresAt = null,
      keys,
      at,
    }: Omit<StatePut, 'expiresAt'> & { expiresAt?: Date | null | undefined },
  ) {
    return this.#db.transaction(async (tx) => {
      // Puts of one owner take turns, so that what is counted and compared here still holds when it is written.
      const name = JSON.stringify([owner.plugin, owner.ownerDid]);
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
      const isMine = and(ownedBy(owner), isAlive(at));
      const [found] = await tx
        .select(fields)
        .from(pluginState)
        .where(and(isMine, eq(pluginState.key, key)));
      if (version !== undefined && version !== (found?.version ?? 0)) return { ok: false, code: 'changed' } as const;
      if (found === undefined) {
        const [row] = await tx.select({ total: count() }).from(pluginState).where(isMine);
        if ((row?.total ?? 0) >= keys) return { ok: false, code: 'full' } as const;
      }
      const state = { value, version: sql<number>`nextval('plugin_state_versions')`, expiresAt };
      const [written] = await tx
        .insert(pluginState)
        .values({ ...owner, key, ...state })
        .onConflictDoUpdate({ target: [pluginState.plugin, pluginState.ownerDid, pluginState.key], set: state })
        .returning({ version: pluginState.version });
      if (written === undefined) throw new Error('an upsert gave no row back');
      await tx.execute(sql`delete from ${pluginState} where ctid in (
        select ctid from ${pluginState} where ${lte(pluginState.expiresAt, at)} limit ${purgedAtOnce} for update skip locked)`);
      return { ok: true, version: written.version } as const;
    });
  }

  async delete(owner: StateOwner, key: string, version: number | undefined, at: Date): Promise<boolean> {
    const isThat = version === undefined ? undefined : eq(pluginState.version, version);
    const deleted = await this.#db
      .delete(pluginState)
      .where(and(ownedBy(owner), eq(pluginState.key, key), isAlive(at), isThat))
      .returning({ key: pluginState.key });
    return deleted.length > 0;
  }

  list(owner: StateOwner, { prefix, after, limit, at }: { prefix: string; after: string; limit: number; at: Date }) {
    const byCodeUnit = sql`${pluginState.key} collate "C"`;
    return this.#db
      .select(fields)
      .from(pluginState)
      .where(and(ownedBy(owner), isAlive(at), sql`starts_with(${pluginState.key}, ${prefix})`, gt(byCodeUnit, after)))
      .orderBy(byCodeUnit)
      .limit(limit);
  }
}

function ownedBy({ plugin, ownerDid }: StateOwner): SQL | undefined {
  return and(eq(pluginState.plugin, plugin), eq(pluginState.ownerDid, ownerDid));
}

function isAlive(at: Date): SQL | undefined {
  return or(isNull(pluginState.expiresAt), gt(pluginState.expiresAt, at));
}
