import type { UcanAuth, Validation, VerifiedToken } from '@mlango/ucan-auth/auth';
import { ownerOf } from '@mlango/ucan-auth/resource-owner';
import { type Admission, bearerOf, type Gate } from './gate.js';

export interface UcanGateOptions {
  readonly auth: Pick<UcanAuth, 'authorize' | 'isAnyRevoked'>;
  /** The resource of an invocation: the gateway's own DID, or a resource without an owner. */
  readonly resource: string;
  /** Each token admits one request. */
  readonly singleUse: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** The only ability: to query. */
export const QUERY_ABILITY = 'proto/query';

/**
 * Admits callers with an invocation of `proto/query` on the resource. If the resource names a DID, a delegation chain from that
 * DID is required; otherwise the caller proves its own DID only.
 */
export function ucanGate({ auth, resource, singleUse, nowMs }: UcanGateOptions): Gate {
  const isGranted = ownerOf(resource) !== undefined;
  return {
    challenge: 'Bearer realm="gateway"',
    async admit(headers, address) {
      const token = headers['x-auth-type'] === 'ucan' ? bearerOf(headers) : undefined;
      if (token === undefined) return MISSING;
      const validation = await auth.authorize(token, QUERY_ABILITY, resource, { singleUse, address });
      if (!validation.ok) return refusalOf(validation);
      const { result } = validation;
      const isAuthorised = async (): Promise<boolean> =>
        nowMs() < result.validUntil * 1000 && !(await auth.isAnyRevoked(result.path));
      return { ok: true, rateLimitKey: isGranted ? `did:${holderOf(result)}` : undefined, isAuthorised };
    },
  };
}

/**
 * The DID that the owner delegated to. It may delegate to any number of DIDs, so all of them share its rate limit. Without an
 * owner, DIDs are free, and only the address limits a caller.
 */
function holderOf({ path, issuer }: VerifiedToken): string {
  return path.at(-2)?.issuer ?? issuer;
}

const MISSING: Admission = {
  ok: false,
  refusal: {
    code: 'unauthenticated',
    message: 'A UCAN invocation is required: send Authorization: Bearer <invocation> with X-Auth-Type: ucan',
    reason: 'missing',
  },
};
const UNAVAILABLE: Admission = {
  ok: false,
  refusal: {
    code: 'unavailable',
    message: 'Authentication is not available at the moment',
    reason: 'unavailable',
  },
};

function refusalOf({ code: reason, retryAfterSeconds = 1 }: Extract<Validation, { ok: false }>): Admission {
  if (reason === 'unavailable') return UNAVAILABLE;
  if (reason === 'rate_limited') {
    return { ok: false, refusal: { code: 'rate_limited', message: 'Too many requests', reason, retryAfterSeconds } };
  }
  const message = 'This UCAN invocation does not allow queries here';
  return { ok: false, refusal: { code: 'permission_denied', message, reason } };
}
