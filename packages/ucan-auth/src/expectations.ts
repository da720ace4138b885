import type { DecodedUcan } from './decode-token.js';
import type { RefusalCode } from './refusal.js';
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
}

/** The first thing that is not as expected, if any. */
export function checkExpectation(
  ucan: DecodedUcan,
  expected: Expectation,
  nowSeconds: number,
): RefusalCode | undefined {
  if (!expected.audiences.has(ucan.audience)) return 'wrong_audience';
  if (expected.issuer !== undefined && expected.issuer !== ucan.issuer) return 'not_authorized';
  return checkTimes(ucan, expected.ttlLimitSeconds, nowSeconds) ?? checkOnly(ucan.capabilities, expected.only);
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
