import { type PreferencesStore, roomsPerUser, type StoredPreferences } from './preferences.js';
import type { UserPreferences } from './schema.js';

/** Preferences store in memory, for tests. */
export class MemoryPreferencesStore implements PreferencesStore {
  readonly #own = new Map<string, StoredPreferences>();
  /** By user and room, the most recently changed last. */
  readonly #rooms = new Map<string, Map<string, StoredPreferences>>();

  async find(ownerDid: string, roomId?: string): Promise<StoredPreferences | undefined> {
    const own = this.#own.get(ownerDid);
    const ofRoom = roomId === undefined ? undefined : this.#rooms.get(ownerDid)?.get(roomId);
    return ofRoom === undefined ? own : { ...own, ...ofRoom };
  }

  async merge(ownerDid: string, changes: UserPreferences, at: Date, roomId?: string): Promise<StoredPreferences> {
    if (roomId === undefined) {
      const merged = { ...this.#own.get(ownerDid), ...changes, updatedAt: at };
      this.#own.set(ownerDid, merged);
      return merged;
    }
    const rooms = this.#rooms.get(ownerDid) ?? new Map<string, StoredPreferences>();
    this.#rooms.set(ownerDid, rooms);
    const merged = { ...rooms.get(roomId), ...changes, updatedAt: at };
    rooms.delete(roomId);
    rooms.set(roomId, merged);
    for (const oldest of rooms.keys()) if (rooms.size > roomsPerUser) rooms.delete(oldest);
    return { ...this.#own.get(ownerDid), ...merged };
  }

  async replace(ownerDid: string, record: UserPreferences, updatedAt: Date): Promise<StoredPreferences> {
    const replaced = { ...record, updatedAt };
    this.#own.set(ownerDid, replaced);
    return replaced;
  }
}
