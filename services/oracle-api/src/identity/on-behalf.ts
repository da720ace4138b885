import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { createDownstream, DownstreamResult, DownstreamService } from '@mlango/ucan-auth/downstream';
import type { Capability } from '@mlango/ucan-auth/minting';
import { authorisationNotice, type NoticeReason } from './authorisation-notices.js';
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
