import type { RefusalCode, Sender, UcanAuth } from '@mlango/ucan-auth/auth';
import type { Capability } from '@mlango/ucan-auth/minting';
import { ownerOf } from '@mlango/ucan-auth/resource-owner';
import type { ServiceDidResult, ServiceDids } from '@mlango/ucan-auth/service-did';
import type { Delegations } from '../../identity/delegations.js';
import type { OnBehalf, OnBehalfResult, ServiceCall } from '../../identity/on-behalf.js';

/** Whether the user has authorised the oracle to act for them, and until when (Unix seconds). */
export type DelegationState =
  | { readonly authorized: true; readonly expiration: number }
  | { readonly authorized: false; readonly reason: 'missing' | 'expired' | 'revoked' | 'unavailable' };

/** The user's delegation does not grant the requested capability. */
export class CapabilityMissingError extends Error {
  override readonly name = 'CapabilityMissingError';
  readonly capability: Capability;

  constructor(capability: Capability) {
    super(`Not done: it needs the capability ${capability.can} on ${capability.with}, which the user has not granted.`);
    this.capability = capability;
  }
}

/** Error codes of a valid delegation that does not grant the capability. */
const notGranted: readonly string[] = ['wrong_capability', 'not_authorized'];

/** Text for the user: which capability to grant, and how. */
function missingCapability({ can, with: resource }: Capability): string {
  return `This needs the capability ${can} on ${resource}. To grant it, authorise this oracle in your app with a delegation that includes this capability; your app sends it to POST /delegation.`;
}

/** Capabilities of the oracle on behalf of the user of a turn. Each call rejects when a store is unavailable. */
export interface TurnUcan {
  /** Whether the user's delegation grants the capability: as owner, by a chain from the owner, or for shared resources from the user. */
  hasCapability(capability: Capability): Promise<boolean>;
  /** @throws CapabilityMissingError */
  requireCapability(capability: Capability): Promise<void>;
  /** Whether a token of the message is the user's own invocation of `capability`. Never rejects. */
  checkInvocation(token: string, capability: Capability): Promise<InvocationCheck>;
  /**
   * Mints an invocation for one call of another service. If the service requires an authorisation, the answer has a notice for the user.
   */
  mintInvocation(request: ServiceCall): Promise<OnBehalfResult>;
  /** The DID of the service at an origin. */
  resolveServiceDid(origin: string): Promise<ServiceDidResult>;
  /** Whether this oracle has a signing key. */
  hasSigningKey(): boolean;
}

export type InvocationCheck = { readonly ok: true } | { readonly ok: false; readonly code: RefusalCode };

export interface TurnUcanParts {
  readonly delegations: Pick<Delegations, 'find'>;
  readonly auth: Pick<UcanAuth, 'grant' | 'consent'>;
  readonly onBehalf: OnBehalf;
  readonly services: Pick<ServiceDids, 'read'>;
}

export async function delegationState({ delegations }: TurnUcanParts, did: string): Promise<DelegationState> {
  const held = await delegations.find(did);
  return held.ok ? { authorized: true, expiration: held.expiration } : { authorized: false, reason: held.code };
}

/**
 * @param user `address`: origin of the message, charged for key lookups
 * @param onNotice receives notices for the user
 */
export function turnUcan(
  parts: TurnUcanParts,
  { did, address }: Sender & { readonly did: string },
  onNotice: (text: string) => void,
): TurnUcan {
  async function hasCapability(capability: Capability): Promise<boolean> {
    const held = await parts.delegations.find(did, { address });
    const granted = held.ok ? await parts.auth.grant(held.token, capability, { address }) : held;
    if (!granted.ok) return false;
    // A grant of another person to this user on a shared resource does not extend to the oracle.
    return ownerOf(capability.with) !== undefined || granted.result.path.at(-1)?.issuer === did;
  }
  return {
    hasCapability,
    requireCapability: async (capability) => {
      if (await hasCapability(capability)) return;
      onNotice(missingCapability(capability));
      throw new CapabilityMissingError(capability);
    },
    checkInvocation: async (token, capability) => {
      const checked = await parts.auth.consent(token, did, capability, { address });
      if (!checked.ok) return checked;
      // An unknown caveat must not be ignored.
      const isPlain = checked.result.capabilities.every(({ nb }) => Object.keys(nb ?? {}).length === 0);
      return isPlain ? { ok: true } : { ok: false, code: 'wrong_capability' };
    },
    mintInvocation: async (request) => {
      const result = await parts.onBehalf.invocation({ ...request, did, address });
      if (!result.ok && result.notice !== undefined) onNotice(result.notice);
      else if (!result.ok && notGranted.includes(result.code)) onNotice(missingCapability(request.capability));
      return result;
    },
    resolveServiceDid: (origin) => parts.services.read(origin, address),
    // A process without a key does not start.
    hasSigningKey: () => true,
  };
}
