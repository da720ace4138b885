import type { userPreferences } from '@mlango/schemas/oracle-preferences';
import type { z } from 'zod';

/** How a user wants to be talked to, without the time at which that was last changed. */
export type UserPreferences = Omit<z.infer<typeof userPreferences>, 'updatedAt'>;

export interface StoredPreferences extends UserPreferences {
  readonly updatedAt: Date;
}

/** Of more rooms, those that were changed longest ago have no record of their own any more. */
export const roomsPerUser = 200;

/**
 * How each user wants to be talked to: over all of their sessions, and otherwise in sessions of one Matrix room. What the record of a
 * room does not name is as in the user's own.
 *
 * Atomicity: two merges at one time both take effect; where they name the same field the later one stands.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface PreferencesStore {
  /** What holds in the room; without one, the user's own. `updatedAt` is of the room's record where it has one. */
  find(ownerDid: string, roomId?: string): Promise<StoredPreferences | undefined>;
  /** Sets the fields that are given, in the record of the room or the user's own, and leaves the others. What holds then. */
  merge(ownerDid: string, changes: UserPreferences, at: Date, roomId?: string): Promise<StoredPreferences>;
  /** Puts the user's own record in the place of what it was: what is not given is gone. Those of rooms stay. */
  replace(ownerDid: string, record: UserPreferences, at: Date): Promise<StoredPreferences>;
}
