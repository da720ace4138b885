import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { createDownstream, DownstreamResult, DownstreamService } from '@mlango/ucan-auth/downstream';
import type { Capability } from '@mlango/ucan-auth/minting';
import type { Delegations, HeldDelegation } from './delegations.js';

/** What is to be done at another service. */
export type ServiceCall = DownstreamService & {
  readonly capability: Capability;
  /** Default 300, at most 3600. */
  readonly lifetimeSeconds?: number;
};

/** The same for a user. */
export type OnBehalfRequest = ServiceCall & { readonly did: string; readonly address?: string | undefined };

type Granted = Extract<DownstreamResult, { ok: true }>;
type Problem = Extract<DownstreamResult, { ok: false }>['code'] | Extract<HeldDelegation, { ok: false }>['code'];

export type OnBehalfResult =
  | Granted
  | {
      readonly ok: false;
      readonly code: Problem;
      /** What to tell the user, at most once in six hours. */
      readonly notice?: string;
    };

/**
 * Invocations by which the oracle acts for a user at another service.
 *
 * Each is made for one call, of the delegation that is kept at that moment; none is kept. Once a delegation is deleted, no
 * invocation of it is given out, on no replica, not even one that was under way.
 * Rejects when the store cannot be reached, and for a programmer's errors (a lifetime out of bounds, no capability).
 */
export interface OnBehalf {
  invocation(request: OnBehalfRequest): Promise<OnBehalfResult>;
}

export interface OnBehalfParts {
  readonly delegations: Pick<Delegations, 'find'>;
  readonly downstream: ReturnType<typeof createDownstream>;
  /** Counts who has been told how to authorise. */
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
 * Tells a user how to authorise the oracle, once in six hours for each reason, whatever number of turns need it and on whichever replica.
 * Undefined when they have been told, and when that cannot be found out: a notice is not worth a failed turn.
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

/** Once a user has authorised the oracle anew, what they were told before counts no more. Never rejects. */
export async function forgetNotices(counts: RateLimitStore, did: string): Promise<void> {
  const reasons = Object.keys(beginnings) as NoticeReason[];
  await Promise.allSettled(reasons.map((reason) => counts.forget(keyOf(did, reason), everyMs)));
}

function keyOf(did: string, reason: NoticeReason): string {
  return `delegation-notice:${reason}:${did}`;
}
