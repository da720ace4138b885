import type { PhoneDelegation } from './phone-link-store.js';

/**
 * The identity of a phone at the oracle. Each service has another one of the same phone, so that what was said in one service is not
 * read in another. `phone` in this folder is the number and the service: E.164, with `/` and the service unless it is the default one.
 */
export interface PhoneIdentity {
  readonly phone: string;
  readonly did: string;
  /** The seed of its key, sealed. */
  readonly sealedSeed: string;
  /** The delegation by which this gateway converses for it, sealed. */
  readonly sealedGrant: string;
  /** Its conversation at the oracle; undefined until there is one. */
  readonly sessionId: string | undefined;
}

/** All that is sealed of one identity. */
export interface SealedIdentity extends Pick<PhoneIdentity, 'phone' | 'did' | 'sealedSeed' | 'sealedGrant'> {
  readonly sealedLink: string | undefined;
}

/** A recorded delegation, with the DID of its phone. */
export interface SealedDelegation extends PhoneDelegation {
  readonly did: string;
}

/**
 * Identities of phones.
 *
 * Guarantees: each method is one atomic step for all processes. A phone has one identity in a service: of several that are made at once the first is kept.
 * A store that cannot be reached rejects.
 */
export interface PhoneIdentityStore {
  find(phone: string): Promise<PhoneIdentity | undefined>;
  /** Identities of a number in all services. */
  ofNumber(phoneNumber: string): Promise<readonly PhoneIdentity[]>;
  /** Resolves with the one that is kept. */
  keep(identity: Omit<PhoneIdentity, 'sessionId'>): Promise<PhoneIdentity>;
  /** Replaces the grant, and records the one before as a delegation to revoke. */
  setGrant(phone: string, sealedGrant: string): Promise<void>;
  /** In the place of the session `before`. Resolves with the one that the phone has then: another process may have been first. */
  setSession(phone: string, before: string | undefined, sessionId: string): Promise<string>;
  /** Counts a question of today, by the database's clock, once for its key; false if `perDay` were asked. */
  countQuestion(phone: string, key: string, perDay: number): Promise<boolean>;
  /** Whether the identity of a phone was made within the last 24 hours. */
  isNew(phone: string): Promise<boolean>;
  /** Some, in the order of their phones, after that one. */
  listSealed(after: string, limit: number): Promise<readonly SealedIdentity[]>;
  /** Delegations in the order of their ids, after that one; from the first without an id. */
  listSealedDelegations(after: string | undefined, limit: number): Promise<readonly SealedDelegation[]>;
  /** False if `before` has changed. */
  replaceSealedDelegation(before: SealedDelegation, sealedToken: string): Promise<boolean>;
  /** False if something of `before` is not as it was. */
  replaceSealed(before: SealedIdentity, after: SealedIdentity): Promise<boolean>;
}
