import { and, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { OracleDatabase } from '../../../store/database.js';
import type { KvPutOutcome } from '../../api/plugin-storage.js';
import { pluginState } from './schema.js';

/** Owner of a state: a plugin and a user, or the empty text for shared state. */
export interface StateOwner {
  readonly plugin: string;
  readonly ownerDid: string;
}

export interface StateRow {
  readonly key: string;
  /** A JSON text. */
  readonly value: string;
  readonly version: number;
}

export interface StatePut {
  readonly key: string;
  readonly value: string;
  /** 0: only if the key is absent. Undefined: unconditional. */
  readonly version: number | undefined;
  readonly expiresAt: Date | undefined;
  /** Maximum number of keys of an owner. */
  readonly keys: number;
  readonly at: Date;
}

/** Number of expired entries that each put deletes. */
const purgedAtOnce = 20;

const fields = { key: pluginState.key, value: pluginState.value, version: pluginState.version };

/**
 * Key-value state of plugins. Entries that are expired at `at` count as absent.
 *
 * Atomicity: of two puts with the same `version`, one returns `changed`; an owner never has more than `keys`, also under concurrency.
 * Order: versions of a key only increase, also across deletions.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export class PluginStateStore {
  readonly #db: OracleDatabase;

  constructor(db: OracleDatabase) {
    this.#db = db;
  }

  async find(owner: StateOwner, key: string, at: Date): Promise<StateRow | undefined> {
    const [row] = await this.#db
      .select(fields)
      .from(pluginState)
      .where(aliveOf(owner, at, eq(pluginState.key, key)));
    return row;
  }

  put(
    owner: StateOwner,
    { key, value, version, expiresAt, keys, at }: StatePut,
  ): Promise<Exclude<KvPutOutcome, { code: 'too_large' }>> {
    return this.#db.transaction(async (tx) => {
      // Puts of one owner are serialized, so that counts and versions are still valid at the write.
      const name = JSON.stringify([owner.plugin, owner.ownerDid]);
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
      const [found] = await tx
        .select(fields)
        .from(pluginState)
        .where(aliveOf(owner, at, eq(pluginState.key, key)));
      if (version !== undefined && version !== (found?.version ?? 0)) return { ok: false, code: 'changed' } as const;
      const isFull = found === undefined && (await tx.$count(pluginState, aliveOf(owner, at))) >= keys;
      if (isFull) return { ok: false, code: 'full' } as const;
      const state = { value, version: sql<number>`nextval('plugin_state_versions')`, expiresAt: expiresAt ?? null };
      const [written] = await tx
        .insert(pluginState)
        .values({ ...owner, key, ...state })
        .onConflictDoUpdate({ target: [pluginState.plugin, pluginState.ownerDid, pluginState.key], set: state })
        .returning({ version: pluginState.version });
      if (written === undefined) throw new Error('an upsert returned no row');
      await tx.execute(sql`delete from ${pluginState} where ctid in (
        select ctid from ${pluginState} where ${lte(pluginState.expiresAt, at)} limit ${purgedAtOnce} for update skip locked)`);
      return { ok: true, version: written.version } as const;
    });
  }

  async delete(owner: StateOwner, key: string, version: number | undefined, at: Date): Promise<boolean> {
    const isThat = version === undefined ? undefined : eq(pluginState.version, version);
    const deleted = await this.#db
      .delete(pluginState)
      .where(aliveOf(owner, at, and(eq(pluginState.key, key), isThat)))
      .returning({ key: pluginState.key });
    return deleted.length > 0;
  }

  /** By code unit of their keys. */
  list(
    owner: StateOwner,
    { prefix, after, limit, at }: { prefix: string; after: string; limit: number; at: Date },
  ): Promise<StateRow[]> {
    const byCodeUnit = sql`${pluginState.key} collate "C"`;
    const isNext = and(sql`starts_with(${pluginState.key}, ${prefix})`, gt(byCodeUnit, after));
    return this.#db
      .select(fields)
      .from(pluginState)
      .where(aliveOf(owner, at, isNext))
      .orderBy(byCodeUnit)
      .limit(limit);
  }
}

/** Condition for an owner's entries that have not expired. */
function aliveOf({ plugin, ownerDid }: StateOwner, at: Date, which?: SQL): SQL | undefined {
  const isAlive = or(isNull(pluginState.expiresAt), gt(pluginState.expiresAt, at));
  return and(eq(pluginState.plugin, plugin), eq(pluginState.ownerDid, ownerDid), isAlive, which);
}
