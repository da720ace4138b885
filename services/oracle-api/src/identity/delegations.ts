import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { Sender, UcanAuth, Validation, VerifiedToken } from '@mlango/ucan-auth/auth';
import { forgetNotices } from './authorisation-notices.js';
import type { DelegationStore } from './delegation-store.js';

export interface DelegationsParts {
  readonly store: DelegationStore;
  readonly auth: Pick<UcanAuth, 'delegationIdentity' | 'invocation'>;
  /** Counts the notices sent to a user. */
  readonly notices: RateLimitStore;
  readonly keyring: Keyring;
  /** Bound into the sealed delegations. */
  readonly oracleDid: string;
  readonly log: { warn(fields: object, text: string): void };
}

type Refusal = Extract<Validation, { ok: false }>['code'];

/** Fields that a client sends with a token; absent and null are equal. */
export interface DeclaredFields {
  readonly issuer?: string | null | undefined;
  readonly audience?: string | null | undefined;
  /** Unix seconds. */
  readonly expiration?: number | null | undefined;
}

export type StoreResult =
  | { readonly ok: true; readonly expiration: number }
  | { readonly ok: false; readonly code: 'invocation' }
  /** A field contradicts the token. */
  | { readonly ok: false; readonly code: 'contradicted'; readonly field: keyof DeclaredFields }
  | { readonly ok: false; readonly code: Refusal | 'foreign'; readonly retryAfterSeconds?: number };

/** `revoked`: the token is no longer valid for another reason than expiry; `unavailable`: it cannot be verified now. */
export type HeldDelegation =
  | { readonly ok: true; readonly token: string; readonly expiration: number }
  | { readonly ok: false; readonly code: 'missing' | 'expired' | 'revoked' | 'unavailable' };

/**
 * The delegations of users to this oracle, one per user: verified on arrival, stored sealed, verified again on use. This class checks
 * the owner; the caller checks the grants. A row copied to another user cannot be opened.
 *
 * Rejects if the store is unavailable.
 */
export class Delegations {
  readonly #parts: DelegationsParts;

  constructor(parts: DelegationsParts) {
    this.#parts = parts;
  }

  /** Stores the delegation of a user, replacing the previous one. */
  async put(did: string, token: string, declared: DeclaredFields = {}, sender: Sender = {}): Promise<StoreResult> {
    const { auth, keyring, notices, store } = this.#parts;
    const validation = await auth.delegationIdentity(token, sender);
    if (!validation.ok) return validation;
    const { issuer, expiresAt } = validation.result;
    if (issuer !== did) return { ok: false, code: 'foreign' };
    const field = contradicted(declared, validation.result);
    if (field !== undefined) return { ok: false, code: 'contradicted', field };
    // Both have one form: an invocation addressed to this service must not be stored for forwarding.
    if ((await auth.invocation(token, sender)).ok) return { ok: false, code: 'invocation' };
    await store.put(did, { sealed: seal(token, keyring, this.#contextOf(did)), expiresAt });
    await forgetNotices(notices, did);
    return { ok: true, expiration: expiresAt };
  }

  async find(did: string, sender: Sender = {}): Promise<HeldDelegation> {
    const { auth, keyring, store, log } = this.#parts;
    const stored = await store.find(did);
    if (stored === undefined) return { ok: false, code: 'missing' };
    const opened = open(stored.sealed, keyring, this.#contextOf(did));
    if (!opened.ok) {
      // The key was removed or the row was changed: the user has to delegate again.
      log.warn({ code: opened.code }, 'stored delegation cannot be opened');
      return { ok: false, code: 'missing' };
    }
    const token = opened.plaintext.toString('utf8');
    const validation = await auth.delegationIdentity(token, sender);
    if (validation.ok) return { ok: true, token, expiration: validation.result.expiresAt };
    if (validation.code === 'expired' || validation.code === 'unavailable') return { ok: false, code: validation.code };
    if (validation.code === 'rate_limited') return { ok: false, code: 'unavailable' };
    return { ok: false, code: 'revoked' };
  }

  /** Deletes the user's delegation. Tokens minted from it are not stored, so none can be used afterwards. */
  async delete(did: string): Promise<void> {
    await this.#parts.store.delete(did);
  }

  #contextOf(did: string) {
    return delegationContext(did, this.#parts.oracleDid);
  }
}

function contradicted(
  declared: DeclaredFields,
  { issuer, audience, expiresAt }: VerifiedToken,
): keyof DeclaredFields | undefined {
  const own = { issuer, audience, expiration: expiresAt };
  return (['issuer', 'audience', 'expiration'] as const).find(
    (field) => (declared[field] ?? own[field]) !== own[field],
  );
}

/** Associated data of the seal: a delegation opens for its user and oracle only. */
export function delegationContext(did: string, oracleDid: string) {
  return { purpose: 'delegation', owner: did, audience: oracleDid };
}
