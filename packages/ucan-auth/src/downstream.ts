import type { UcanAuth } from './auth.js';
import { mintInvocation, UnreadableTokenError } from './minting.js';
import type { RefusalCode } from './refusal.js';
import { ownerOf } from './resource-owner.js';
import type { ServiceDidProblem, ServiceDids } from './service-did.js';
import type { UcanSigner } from './signer.js';
import type { Capability } from './ucan-block.js';

export type { ServiceDidProblem } from './service-did.js';

export interface DownstreamOptions {
  /** This service's own judge of delegations. */
  readonly auth: Pick<UcanAuth, 'grant'>;
  /** This service's signers: one for each DID that users delegate to. */
  readonly signers: readonly UcanSigner[];
  readonly services: Pick<ServiceDids, 'read'>;
  /** Unix seconds; the same clock as `auth` has. Default: the system's. */
  readonly now?: () => number;
}

/** Whom something is asked of: who is at `https://<host>[:port]`, or who is known by a DID already. */
export type Asked = { readonly origin: string } | { readonly audience: string };

export type DownstreamCall = Asked & {
  /** The user this is done for: the issuer of the delegation. */
  readonly user: string;
  /** The user's delegation to this service. */
  readonly delegation: string;
  /** What is to be done. */
  readonly capability: Capability;
  /** Default 300, at most 3600. The delegation's own expiry bounds it too. */
  readonly lifetimeSeconds?: number;
  /** For whom a service is asked who it is: its share of such readings (`service-did`). */
  readonly address?: string | undefined;
};

/** A code of RefusalCode is about the delegation, one of ServiceDidProblem about the service that was to be called. */
export type DownstreamResult =
  | { readonly ok: true; readonly token: string; readonly audience: string; readonly expiresAt: number }
  | { readonly ok: false; readonly code: RefusalCode | ServiceDidProblem };

const DEFAULT_SECONDS = 300;
const LONGEST_SECONDS = 3600;

/**
 * Mints invocations by which this service asks another one, on behalf of a user. The delegation is judged anew each time,
 * revocations included, and must grant just that capability by a chain that begins at its owner: on what a signer here owns, the
 * signature alone would be a grant. Only then is another service asked who it is. No two tokens
 * are the same, so whoever gets them can take each once.
 *
 * Rejects for a programmer's errors only: a lifetime out of bounds (RangeError), what is no ability or resource (TypeError).
 */
export function createDownstream(options: DownstreamOptions): (call: DownstreamCall) => Promise<DownstreamResult> {
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const signers = new Map(options.signers.map((signer) => [signer.did, signer]));
  return async (call) => {
    const { lifetimeSeconds = DEFAULT_SECONDS, capability } = call;
    if (!(lifetimeSeconds >= 1 && lifetimeSeconds <= LONGEST_SECONDS)) {
      throw new RangeError(`a lifetime is 1 to ${LONGEST_SECONDS} seconds`);
    }
    if (isFamilyOfAnybody(capability.with)) return { ok: false, code: 'wrong_resource' };
    const granted = await options.auth.grant(call.delegation, capability);
    if (!granted.ok) return granted;
    if (granted.verdict.issuer !== call.user) return { ok: false, code: 'not_authorized' };
    const signer = signers.get(granted.verdict.audience);
    if (signer === undefined) return { ok: false, code: 'wrong_audience' };
    const service = await whoIsAsked(options.services, call);
    if (!service.ok) return service;
    const expiresAt = Math.min(now() + Math.floor(lifetimeSeconds), granted.verdict.validUntil);
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

async function whoIsAsked(services: DownstreamOptions['services'], call: DownstreamCall) {
  return 'audience' in call ? ({ ok: true, did: call.audience } as const) : services.read(call.origin, call.address);
}

/** A family that names nobody may hold what a signer here owns: its signature would grant that too. */
function isFamilyOfAnybody(resource: string): boolean {
  return resource.includes('*') && ownerOf(resource) === undefined;
}
