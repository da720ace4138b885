import type { RefusalCode } from '../decode/refusal.js';
import type { Capability } from '../decode/ucan-block.js';
import type { ServiceDidProblem, ServiceDids } from '../dids/service-did.js';
import { ownerOf } from '../policy/resource-owner.js';
import type { Validation } from '../verify/result.js';
import { mintInvocation, type UcanSigner, UnreadableTokenError } from './minting.js';

export type { ServiceDidProblem } from '../dids/service-did.js';

export interface DownstreamOptions {
  /** Verifies delegations to this service (`UcanAuth`). */
  readonly auth: { grant(token: string, capability: Capability): Promise<Validation> };
  /** This service's signers, one for each DID that users delegate to. */
  readonly signers: readonly UcanSigner[];
  readonly services: Pick<ServiceDids, 'read'>;
  /** Unix seconds, the same clock as that of `auth`. Default: the system clock. */
  readonly now?: () => number;
}

/** The other service: by its origin `https://<host>[:port]`, or by its DID. */
export type DownstreamService = { readonly origin: string } | { readonly audience: string };

export type DownstreamCall = DownstreamService & {
  /** DID of the user, the issuer of the delegation. */
  readonly user: string;
  /** The user's delegation to this service. */
  readonly delegation: string;
  /** The capability to invoke. */
  readonly capability: Capability;
  /** Default 300, at most 3600. Also bounded by the delegation's expiry. */
  readonly lifetimeSeconds?: number;
  /** Address of the user, for its share of concurrent reads of service DIDs (`service-did`). */
  readonly address?: string | undefined;
};

/** A RefusalCode is about the delegation, a ServiceDidProblem about the other service. */
export type DownstreamResult =
  | { readonly ok: true; readonly token: string; readonly audience: string; readonly expiresAt: number }
  | { readonly ok: false; readonly code: RefusalCode | ServiceDidProblem };

const DEFAULT_SECONDS = 300;
const LONGEST_SECONDS = 3600;

/**
 * Mints invocations for other services on behalf of a user. The delegation is verified for each call, with its revocations, and must
 * grant exactly the capability by a proof chain from the resource's owner: for a resource that a signer of this service owns, its
 * signature alone would be the grant. The other service's DID is read only then. All tokens differ, so the other service can accept each
 * of them once.
 *
 * @throws {RangeError} if the lifetime is out of bounds
 * @throws {TypeError} if the capability has no valid ability or resource
 */
export function createDownstream(options: DownstreamOptions): (call: DownstreamCall) => Promise<DownstreamResult> {
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const signers = new Map(options.signers.map((signer) => [signer.did, signer]));
  return async (call) => {
    const { lifetimeSeconds = DEFAULT_SECONDS, capability } = call;
    if (!(lifetimeSeconds >= 1 && lifetimeSeconds <= LONGEST_SECONDS)) {
      throw new RangeError(`a lifetime is 1 to ${LONGEST_SECONDS} seconds`);
    }
    if (isSharedFamily(capability.with)) return { ok: false, code: 'wrong_resource' };
    const granted = await options.auth.grant(call.delegation, capability);
    if (!granted.ok) return granted;
    if (granted.result.issuer !== call.user) return { ok: false, code: 'not_authorized' };
    const signer = signers.get(granted.result.audience);
    if (signer === undefined) return { ok: false, code: 'wrong_audience' };
    const service = await serviceDidOf(options.services, call);
    if (!service.ok) return service;
    const expiresAt = Math.min(now() + Math.floor(lifetimeSeconds), granted.result.validUntil);
    if (expiresAt <= now()) return { ok: false, code: 'expired' };
    const audience = service.did;
    try {
      const token = await mintInvocation({ signer, audience, capability, expiresAt, proofs: [call.delegation] });
      return { ok: true, token, audience, expiresAt };
    } catch (error) {
      if (error instanceof UnreadableTokenError) return { ok: false, code: error.code };
      throw error;
    }
  };
}

async function serviceDidOf(services: DownstreamOptions['services'], call: DownstreamCall) {
  return 'audience' in call ? ({ ok: true, did: call.audience } as const) : services.read(call.origin, call.address);
}

/** A family without a DID may contain resources of a signer of this service; that signature would grant them. */
function isSharedFamily(resource: string): boolean {
  return resource.includes('*') && ownerOf(resource) === undefined;
}
