import type { Ability, URI } from '@ucanto/interface';
import { isLink } from 'multiformats/link';
import type { DecodedUcan } from '../decode/decode-token.js';
import type { Capability } from '../decode/ucan-block.js';

/** The ability of a revocation, on the issuer's own DID. Its caveats name the revoked UCAN. */
export const REVOKE_ABILITY = 'ucan/revoke';

/** Whether a value is a URI, in the type that ucanto gives URIs. */
export function isUri(value: unknown): value is URI {
  return typeof value === 'string' && /^[^:]+:./.test(value);
}

/**
 * An ability in the type that ucanto gives abilities.
 * @throws {TypeError} if the text is neither `*` nor two segments with a slash between them
 */
export function abilityText(text: string): Ability {
  if (!isAbility(text)) throw new TypeError('not an ability');
  return text;
}

function isAbility(text: string): text is Ability {
  return text === '*' || /^[^/]+\/./.test(text);
}

/**
 * Whether a granted resource covers a claimed one: they are equal, or the grant ends in `/*` or `:*` and the claim continues after that
 * boundary. A star in another position has no meaning. A claim with a segment `.` or `..` is not covered by a family.
 */
export function coversResource(granted: string, claimed: string): boolean {
  if (granted === claimed) return true;
  if (!granted.endsWith('/*') && !granted.endsWith(':*')) return false;
  const boundary = granted.slice(0, -1);
  if (!claimed.startsWith(boundary) || claimed.length === boundary.length) return false;
  return !claimed
    .slice(boundary.length)
    .split('/')
    .some((segment) => segment === '.' || segment === '..');
}

/** Whether a granted ability covers a claimed one: they are equal, the grant is `*`, or it is the claim's family (`store/*`). */
export function coversAbility(granted: string, claimed: string): boolean {
  return granted === claimed || granted === '*' || (granted.endsWith('/*') && claimed.startsWith(granted.slice(0, -1)));
}

/** Whether a claim has every caveat of a grant, with the same value. */
export function coversCaveats(granted: Capability['nb'], claimed: Capability['nb']): boolean {
  return Object.entries(granted ?? {}).every(([name, value]) => isEqualData(claimed?.[name], value));
}

/** Whether a granted capability covers a claimed one: ability, resource and caveats. */
export function covers(granted: Capability, claim: Capability): boolean {
  return couldGrant(granted, claim) && coversCaveats(granted.nb, claim.nb);
}

/**
 * Steps of a proof search for `claim` in the worst case: from each UCAN through each capability of each proof that could match. A
 * capability that cannot match ends the search, so chains with many different capabilities stay cheap. A proof that is shared by several
 * paths counts once per path, as the search visits it; counting itself is linear.
 */
export function countProofPaths(root: DecodedUcan, claim: Capability): number {
  if (root.proofs.length === 0) return 0;
  const counted = new Map<DecodedUcan, number>();

  function pathsFrom(ucan: DecodedUcan): number {
    const known = counted.get(ucan);
    if (known !== undefined) return known;
    let paths = 0;
    for (const proof of ucan.proofs) {
      const matching = proof.capabilities.filter((granted) => couldGrant(granted, claim)).length;
      if (matching > 0) paths += matching * (1 + pathsFrom(proof));
    }
    counted.set(ucan, paths);
    return paths;
  }

  return pathsFrom(root);
}

/**
 * Whether a proof's capability could be part of a chain for a claim, without its caveats. A capability covers everything that the
 * capabilities below it cover, so each can be compared with the claim itself.
 */
export function couldGrant(granted: Capability, claim: Capability): boolean {
  return coversAbility(granted.can, claim.can) && coversResource(granted.with, claim.with);
}

/** Deep equality of decoded values. Bytes and links compare by content. */
function isEqualData(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof Uint8Array || right instanceof Uint8Array) {
    return left instanceof Uint8Array && right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (isLink(left) || isLink(right)) return isLink(left) && isLink(right) && left.toString() === right.toString();
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const entries = Object.entries(left);
  const others = new Map(Object.entries(right));
  return (
    entries.length === others.size &&
    entries.every(([key, item]) => others.has(key) && isEqualData(item, others.get(key)))
  );
}
