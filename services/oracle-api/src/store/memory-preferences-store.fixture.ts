import type { PreferencesStore, StoredPreferences, UserPreferences } from './preferences-store.js';

/** Preferences of one process, gone with it: for tests of what stands on the port. */
export class MemoryPreferencesStore implements PreferencesStore {
  readonly #records = new Map<string, StoredPreferences>();

  async find(ownerDid: string): Promise<StoredPreferences | undefined> {
    return this.#records.get(ownerDid);
  }

  async merge(ownerDid: string, changes: UserPreferences, at: Date): Promise<StoredPreferences> {
    const merged = { ...this.#records.get(ownerDid), ...changes, updatedAt: at };
    this.#records.set(ownerDid, merged);
    return merged;
  }
}
