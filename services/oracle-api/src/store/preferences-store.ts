import type { userPreferences } from '@mlango/schemas/oracle-preferences';
import type { z } from 'zod';

/** How a user wants to be talked to, without the time at which that was last changed. */
export type UserPreferences = Omit<z.infer<typeof userPreferences>, 'updatedAt'>;

export interface StoredPreferences extends UserPreferences {
  readonly updatedAt: Date;
}

/**
 * How each user wants to be talked to, over all of their sessions.
 *
 * Atomicity: two merges at one time both take effect; where they name the same field the later one stands.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface PreferencesStore {
  find(ownerDid: string): Promise<StoredPreferences | undefined>;
  /** Sets the fields that are given and leaves the others. */
  merge(ownerDid: string, changes: UserPreferences, at: Date): Promise<StoredPreferences>;
}
