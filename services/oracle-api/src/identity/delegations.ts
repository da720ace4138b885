import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { Sender, UcanAuth, Validation, VerifiedToken } from '@mlango/ucan-auth/auth';
import type { DelegationStore } from '../store/delegations.js';
import { forgetNotices } from './on-behalf.js';

export interface DelegationsParts {
  readonly store: DelegationStore;
  readonly auth: Pick<UcanAuth, 'delegationIdentity' | 'invocation'>;
  /** Counts who has been told how to authorise. */
  readonly notices: RateLimitStore;
  readonly keyring: Keyring;
  /** Whose delegations these are: bound into what is sealed. */
  readonly oracleDid: string;
  readonly log: { warn(fields: object, text: string): void };
}

type Refusal = Extract<Validation, { ok: false }>['code'];

/** What a client says of a token beside it; what is absent or null says nothing. */
export interface SaidOfToken {
  readonly issuer?: string | null | undefined;
  readonly audience?: string | null | undefined;
  /** Unix seconds. */
  readonly expiration?: number | null | undefined;
}

export type StoreResult =
  | { readonly ok: true; readonly expiration: number }
  | { readonly ok: false; readonly code: 'invocation' }
  /** The token says otherwise. */
  | { readonly ok: false; readonly code: 'contradicted'; readonly field: keyof SaidOfToken }
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
  async put(did: string, token: string, said: SaidOfToken = {}, sender: Sender = {}): Promise<StoreResult> {
    const { auth, keyring, notices, store } = this.#parts;
    const validation = await auth.delegationIdentity(token, sender);
    if (!validation.ok) return validation;
    const { issuer, expiresAt } = validation.result;
    if (issuer !== did) return { ok: false, code: 'foreign' };
    const field = contradicted(said, validation.result);
    if (field !== undefined) return { ok: false, code: 'contradicted', field };
    // The two are of one form: what this service takes for a word to itself is none that it may pass on.
    if ((await auth.invocation(token, sender)).ok) return { ok: false, code: 'invocation' };
    await store.put(did, { sealed: seal(token, keyring, this.#contextOf(did)), expiresAt });
    await forgetNotices(notices, did);
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
    if (validation.ok) return { ok: true, token, expiration: validation.result.expiresAt };
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

function contradicted(
  said: SaidOfToken,
  { issuer, audience, expiresAt }: VerifiedToken,
): keyof SaidOfToken | undefined {
  const own = { issuer, audience, expiration: expiresAt };
  return (['issuer', 'audience', 'expiration'] as const).find((field) => (said[field] ?? own[field]) !== own[field]);
}

/** What a delegation is sealed with: it opens for no other user and no other oracle. */
export function delegationContext(did: string, oracleDid: string) {
  return { purpose: 'delegation', owner: did, audience: oracleDid };
}
