import { isLink } from 'multiformats/link';
import { keyOfCid } from './car-blocks.js';
import type { Verdict } from './verdict.js';

/** The ability by which an issuer takes a UCAN back, on the resource that is its own DID. */
export const REVOKE = 'ucan/revoke';

/** What a good `ucan/revoke` invocation takes back; undefined when its caveats name no UCAN. */
export function readRevocation({ issuer, capabilities: [capability] }: Verdict) {
  const { ucan, exp }: { readonly ucan?: unknown; readonly exp?: unknown } = capability?.nb ?? {};
  if (!isLink(ucan) || keyOfCid(ucan) === undefined) return undefined;
  // Without the UCAN's own expiry, or what claims to be it, the revocation is kept for good. A false one hurts its author.
  if (exp !== undefined && (typeof exp !== 'number' || !Number.isSafeInteger(exp))) return undefined;
  return { cid: ucan.toString(), issuer, expiresAt: exp ?? Number.POSITIVE_INFINITY };
}
