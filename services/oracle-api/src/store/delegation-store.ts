/** A delegation from a user to this oracle as it is kept: nobody reads it without the key. */
export interface SealedDelegation {
  readonly sealed: string;
  /** Unix seconds; absent for a delegation without an end. */
  readonly expiresAt?: number;
}

/**
 * One delegation for each user. What it says is sealed before it comes here, and whether it has expired is the reader's
 * to judge.
 *
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface DelegationStore {
  find(ownerDid: string): Promise<SealedDelegation | undefined>;
  /** Takes the place of the one before. */
  put(ownerDid: string, delegation: SealedDelegation): Promise<void>;
  /** False when there was none. */
  delete(ownerDid: string): Promise<boolean>;
}
