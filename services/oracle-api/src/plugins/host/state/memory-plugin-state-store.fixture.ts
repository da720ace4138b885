import type { PluginStateStore, StateOwner, StatePut, StateRow } from './plugin-state-store.js';

interface Kept extends StateRow {
  readonly expiresAt: Date | undefined;
}

/** In-memory state, for tests of code that depends on the port. */
export class MemoryPluginStateStore implements PluginStateStore {
  readonly #rows = new Map<string, Map<string, Kept>>();
  #versions = 0;

  async find(owner: StateOwner, key: string, at: Date): Promise<StateRow | undefined> {
    const kept = this.#alive(owner, at).get(key);
    return kept && rowOf(kept);
  }

  async put(owner: StateOwner, { key, value, version, expiresAt, keys, at }: StatePut) {
    const rows = this.#alive(owner, at);
    if (version !== undefined && version !== (rows.get(key)?.version ?? 0))
      return { ok: false, code: 'changed' } as const;
    if (!rows.has(key) && rows.size >= keys) return { ok: false, code: 'full' } as const;
    this.#versions += 1;
    rows.set(key, { key, value, version: this.#versions, expiresAt });
    return { ok: true, version: this.#versions } as const;
  }

  async delete(owner: StateOwner, key: string, version: number | undefined, at: Date): Promise<boolean> {
    const rows = this.#alive(owner, at);
    if (version !== undefined && version !== rows.get(key)?.version) return false;
    return rows.delete(key);
  }

  async list(
    owner: StateOwner,
    { prefix, after, limit, at }: { prefix: string; after: string; limit: number; at: Date },
  ) {
    const found = [...this.#alive(owner, at).values()].filter(({ key }) => key.startsWith(prefix) && key > after);
    return found
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .slice(0, limit)
      .map(rowOf);
  }

  #alive({ plugin, ownerDid }: StateOwner, at: Date): Map<string, Kept> {
    const name = JSON.stringify([plugin, ownerDid]);
    const rows = this.#rows.get(name) ?? new Map<string, Kept>();
    this.#rows.set(name, rows);
    for (const { key, expiresAt } of rows.values()) if (expiresAt !== undefined && expiresAt <= at) rows.delete(key);
    return rows;
  }
}

function rowOf({ key, value, version }: Kept): StateRow {
  return { key, value, version };
}
