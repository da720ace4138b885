import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import type { Sender, UcanAuth, Validation } from '@mlango/ucan-auth/auth';
import type { DelegationStore } from '../store/delegation-store.js';

export interface DelegationsParts {
  readonly store: DelegationStore;
  readonly auth: Pick<UcanAuth, 'delegationIdentity'>;
  readonly keyring: Keyring;
  /** Whose delegations these are: bound into what is sealed. */
  readonly oracleDid: string;
  readonly log: { warn(fields: object, text: string): void };
}

type Refusal = Extract<Validation, { ok: false }>['code'];

export type StoreResult =
  | { readonly ok: true; readonly expiration: number }
  | { readonly ok: false; readonly code: Refusal | 'foreign'; readonly retryAfterSeconds?: number };

/**
 * `missing` and `expired` say what they say; `revoked` stands for whatever else makes a token that was good one that is not
 * any more; `unavailable`: it cannot be judged now.
 */
export type HeldDelegation =
  | { readonly ok: true; readonly token: string; readonly expiration: number }
  | { readonly ok: false; readonly code: 'missing' | 'expired' | 'revoked' | 'unavailable' };

/**
 * What users have delegated to this oracle, one delegation for each: checked when it comes, sealed while it is kept, checked
 * again when it is used. Whose it is is checked here; what it grants, where somebody wants to act on it. Whoever reads the database reads no token, and a row copied to another user does not open.
 *
 * Rejects when the store cannot be reached.
 */
export class Delegations {
  readonly #parts: DelegationsParts;

  constructor(parts: DelegationsParts) {
    this.#parts = parts;
  }

  /** Keeps a delegation of this user, in the place of the one before. */
  async put(did: string, token: string, sender: Sender = {}): Promise<StoreResult> {
    const { auth, keyring, store } = this.#parts;
    const validation = await auth.delegationIdentity(token, sender);
    if (!validation.ok) return validation;
    const { issuer, expiresAt } = validation.verdict;
    if (issuer !== did) return { ok: false, code: 'foreign' };
    await store.put(did, { sealed: seal(token, keyring, this.#contextOf(did)), expiresAt });
    return { ok: true, expiration: expiresAt };
  }

  async find(did: string, sender: Sender = {}): Promise<HeldDelegation> {
    const { auth, keyring, store, log } = this.#parts;
    const kept = await store.find(did);
    if (kept === undefined) return { ok: false, code: 'missing' };
    const opened = open(kept.sealed, keyring, this.#contextOf(did));
    if (!opened.ok) {
      // A key was taken out of the keyring, or the row is not what was written: the user has to delegate again.
      log.warn({ code: opened.code }, 'delegation does not open');
      return { ok: false, code: 'missing' };
    }
    const token = opened.plaintext.toString('utf8');
    const validation = await auth.delegationIdentity(token, sender);
    if (validation.ok) return { ok: true, token, expiration: validation.verdict.expiresAt };
    if (validation.code === 'expired' || validation.code === 'unavailable') return { ok: false, code: validation.code };
    if (validation.code === 'rate_limited') return { ok: false, code: 'unavailable' };
    return { ok: false, code: 'revoked' };
  }

  /** Drops the user's delegation. Nothing that was minted from it is kept anywhere, so nothing can be used after this. */
  async delete(did: string): Promise<void> {
    await this.#parts.store.delete(did);
  }

  #contextOf(did: string) {
    return delegationContext(did, this.#parts.oracleDid);
  }
}

/** What a delegation is sealed with: it opens for no other user and no other oracle. */
export function delegationContext(did: string, oracleDid: string) {
  return { purpose: 'delegation', owner: did, audience: oracleDid };
}
