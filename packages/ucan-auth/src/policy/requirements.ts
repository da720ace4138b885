import type { DecodedUcan } from '../decode/decode-token.js';
import type { RefusalCode } from '../decode/refusal.js';
import type { Capability } from '../decode/ucan-block.js';
import { covers, coversResource } from './capabilities.js';

/** The requirements of a service for a token. All but `proofKind` is checked without a key or a signature. */
export interface Requirements {
  /** DIDs of the service. */
  readonly audiences: ReadonlySet<string>;
  /** The required issuer. Default: any. */
  readonly issuer?: string;
  /** How far ahead the expiry may be, in seconds. */
  readonly ttlLimitSeconds: number;
  /** If set, the token must have exactly one capability, with this ability and an accepted resource. */
  readonly only?: {
    readonly can: string;
    readonly accepts: (resource: string, issuer: string) => boolean;
    readonly caveats: 'none' | 'any';
  };
  /** If set, one capability of the token must cover this one. */
  readonly grants?: Capability;
  /** If set, one capability of the token must cover one of these resources. */
  readonly covers?: ReadonlySet<string>;
  /**
   * `authority`: the proof chain must start at the owner of the resource. `identity`: the token only proves its issuer, so the chain may
   * start at any issuer.
   */
  readonly proofKind: 'authority' | 'identity';
}

/** The first requirement that a UCAN does not meet, as a code. Checks nothing that needs a key. */
export function checkRequirements(
  ucan: DecodedUcan,
  requirements: Requirements,
  nowSeconds: number,
): RefusalCode | undefined {
  if (!requirements.audiences.has(ucan.audience)) return 'wrong_audience';
  if (requirements.issuer !== undefined && requirements.issuer !== ucan.issuer) return 'not_authorized';
  const unmet = checkTimes(ucan, requirements.ttlLimitSeconds, nowSeconds) ?? checkOnly(ucan, requirements.only);
  if (unmet !== undefined) return unmet;
  if (requirements.covers !== undefined && !coversOneOf(ucan.capabilities, requirements.covers))
    return 'wrong_resource';
  return relevantCapabilities(ucan, requirements).length === 0 ? 'not_authorized' : undefined;
}

/** The capabilities of a token that could meet the requirements, at least one of which must have a valid proof chain. */
export function relevantCapabilities(ucan: DecodedUcan, { grants }: Requirements): readonly Capability[] {
  return grants === undefined ? ucan.capabilities : ucan.capabilities.filter((granted) => covers(granted, grants));
}

function coversOneOf(capabilities: readonly Capability[], resources: ReadonlySet<string>): boolean {
  return capabilities.some((granted) => [...resources].some((resource) => coversResource(granted.with, resource)));
}

function checkTimes(ucan: DecodedUcan, ttlLimitSeconds: number, nowSeconds: number): RefusalCode | undefined {
  if (!Number.isFinite(ucan.expiresAt)) return 'no_expiry';
  if (ucan.expiresAt <= nowSeconds) return 'expired';
  if (ucan.expiresAt > nowSeconds + ttlLimitSeconds) return 'ttl_too_long';
  return ucan.notBefore > nowSeconds ? 'not_yet_valid' : undefined;
}

function checkOnly({ capabilities, issuer }: DecodedUcan, only: Requirements['only']): RefusalCode | undefined {
  if (only === undefined) return undefined;
  const [capability] = capabilities;
  if (capability === undefined || capabilities.length > 1 || capability.can !== only.can) return 'wrong_capability';
  if (!only.accepts(capability.with, issuer)) return 'wrong_resource';
  // An unknown caveat must not be ignored.
  const caveats = Object.keys(capability.nb ?? {});
  return only.caveats === 'none' && caveats.length > 0 ? 'wrong_capability' : undefined;
}
