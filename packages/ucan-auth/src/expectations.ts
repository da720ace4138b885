import type { DecodedUcan } from './decode-token.js';
import type { RefusalCode } from './refusal.js';
import { coversAbility, coversResource } from './resource-matching.js';
import { sameData } from './same-data.js';
import type { Capability } from './ucan-block.js';

/** What a token must say to be considered at all: everything that costs no key and no signature. */
export interface Expectation {
  /** DIDs that are this service. */
  readonly audiences: ReadonlySet<string>;
  /** Whose token it must be. Default: anybody's. */
  readonly issuer?: string;
  /** How far ahead the expiry may lie, in seconds. */
  readonly ttlLimitSeconds: number;
  /** When given, the token must have exactly one capability, with this ability, no caveats, and one of these resources. */
  readonly only?: { readonly can: string; readonly resources: ReadonlySet<string>; readonly caveats: 'none' | 'any' };
  /** When given, what one of the token's capabilities must cover. */
  readonly grants?: Capability;
  /** When given, one of the token's capabilities must cover one of these resources. */
  readonly covers?: ReadonlySet<string>;
  /**
   * Whose word counts. `owner`: every chain has to begin with who owns the resource. `speaker`: that of whoever issued the token,
   * whatever it is about; what is asked is who speaks, not what they may do.
   */
  readonly standing: 'owner' | 'speaker';
}

/** The first thing that is not as expected, if any. */
export function checkExpectation(
  ucan: DecodedUcan,
  expected: Expectation,
  nowSeconds: number,
): RefusalCode | undefined {
  if (!expected.audiences.has(ucan.audience)) return 'wrong_audience';
  if (expected.issuer !== undefined && expected.issuer !== ucan.issuer) return 'not_authorized';
  const wrong = checkTimes(ucan, expected.ttlLimitSeconds, nowSeconds) ?? checkOnly(ucan.capabilities, expected.only);
  if (wrong !== undefined) return wrong;
  if (expected.covers !== undefined && !coversOneOf(ucan.capabilities, expected.covers)) return 'wrong_resource';
  return capabilitiesInQuestion(ucan, expected).length === 0 ? 'not_authorized' : undefined;
}

/** The capabilities of a token of which one must hold. */
export function capabilitiesInQuestion(ucan: DecodedUcan, { grants }: Expectation): readonly Capability[] {
  return grants === undefined ? ucan.capabilities : ucan.capabilities.filter((granted) => covers(granted, grants));
}

/** The caveats of a grant bind whoever uses it. */
function covers(granted: Capability, claim: Capability): boolean {
  if (!coversAbility(granted.can, claim.can) || !coversResource(granted.with, claim.with)) return false;
  return Object.entries(granted.nb ?? {}).every(([name, value]) => sameData(claim.nb?.[name], value));
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

function checkOnly(capabilities: readonly Capability[], only: Expectation['only']): RefusalCode | undefined {
  if (only === undefined) return undefined;
  const [capability] = capabilities;
  if (capability === undefined || capabilities.length > 1 || capability.can !== only.can) return 'wrong_capability';
  if (!only.resources.has(capability.with)) return 'wrong_resource';
  // A caveat nobody here understands must not be passed over.
  const caveats = Object.keys(capability.nb ?? {});
  return only.caveats === 'none' && caveats.length > 0 ? 'wrong_capability' : undefined;
}
