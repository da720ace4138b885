import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { createDownstream, DownstreamResult, DownstreamService } from '@mlango/ucan-auth/downstream';
import type { Capability } from '@mlango/ucan-auth/minting';
import { authorisationNotice, type NoticeReason } from './authorisation-notices.js';
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
