import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { createDownstream, DownstreamResult, DownstreamService } from '@mlango/ucan-auth/downstream';
import type { Capability } from '@mlango/ucan-auth/minting';
import type { Delegations, HeldDelegation } from './delegations.js';

/** A request to another service. */
export type ServiceCall = DownstreamService & {
  readonly capability: Capability;
  /** Default 300, at most 3600. */
  readonly lifetimeSeconds?: number;
};

/** A request to another service for a user. */
export type OnBehalfRequest = ServiceCall & { readonly did: string; readonly address?: string | undefined };

type Granted = Extract<DownstreamResult, { ok: true }>;
type Problem = Extract<DownstreamResult, { ok: false }>['code'] | Extract<HeldDelegation, { ok: false }>['code'];

export type OnBehalfResult =
  | Granted
  | {
      readonly ok: false;
      readonly code: Problem;
      /** Notice for the user, at most once in six hours. */
      readonly notice?: string;
    };

/**
 * Invocations by which the oracle acts for a user at another service.
 *
 * Each invocation is minted for one call from the stored delegation, and is not stored. After a delegation is deleted, no replica
 * returns an invocation of it, not even one that was being minted.
 * Rejects if the store is unavailable, and for programming errors (a lifetime out of bounds, no capability).
 */
export interface OnBehalf {
  invocation(request: OnBehalfRequest): Promise<OnBehalfResult>;
}

export interface OnBehalfParts {
  readonly delegations: Pick<Delegations, 'find'>;
  readonly downstream: ReturnType<typeof createDownstream>;
  /** Counts the notices sent to a user. */
  readonly notices: RateLimitStore;
}

export function onBehalf({ delegations, downstream, notices }: OnBehalfParts): OnBehalf {
  async function refuse(did: string, code: NoticeReason | 'unavailable'): Promise<OnBehalfResult> {
    if (code === 'unavailable') return { ok: false, code };
    const notice = await authorisationNotice(notices, did, code);
    return { ok: false, code, ...(notice === undefined ? {} : { notice }) };
  }

  return {
    async invocation({ did, ...request }) {
      const held = await delegations.find(did);
      if (!held.ok) return refuse(did, held.code);
      const minted = await downstream({ ...request, user: did, delegation: held.token });
      if (!minted.ok) return minted;
      const after = await delegations.find(did);
      if (!after.ok) return refuse(did, after.code);
      return after.token === held.token ? minted : { ok: false, code: 'revoked' };
    },
  };
}

export type NoticeReason = 'missing' | 'expired' | 'revoked';

const everyMs = 6 * 3_600_000;

const beginnings: Readonly<Record<NoticeReason, string>> = {
  missing: 'I may not act on your behalf with other services yet.',
  expired: 'Your authorisation for me to act on your behalf has expired.',
  revoked: 'Your authorisation for me to act on your behalf is no longer valid.',
};

/**
 * Text that explains to a user how to authorise the oracle, once in six hours per reason across turns and replicas.
 * Undefined if it was sent already or the store is unavailable, so that a notice never fails a turn.
 */
export async function authorisationNotice(
  counts: RateLimitStore,
  did: string,
  reason: NoticeReason,
): Promise<string | undefined> {
  try {
    const { count } = await counts.hit(keyOf(did, reason), everyMs);
    if (count > 1) return undefined;
    return `${beginnings[reason]} To let me, authorise this oracle in your app: it signs a new delegation and sends it to POST /delegation.`;
  } catch {
    return undefined;
  }
}

/** Resets the notices of a user who has authorised the oracle again. Never rejects. */
export async function forgetNotices(counts: RateLimitStore, did: string): Promise<void> {
  const reasons = Object.keys(beginnings) as NoticeReason[];
  await Promise.allSettled(reasons.map((reason) => counts.forget(keyOf(did, reason), everyMs)));
}

function keyOf(did: string, reason: NoticeReason): string {
  return `delegation-notice:${reason}:${did}`;
}
