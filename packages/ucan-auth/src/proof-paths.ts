import type { DecodedUcan } from './decode-token.js';
import { coversAbility, coversResource } from './resource-matching.js';
import type { Capability } from './ucan-block.js';

/**
 * How many steps a search for the grant of `claim` takes when every step fails: from each UCAN through each capability of
 * each proof that could match. What cannot match ends the search there and is not counted, so honest chains with many
 * different capabilities stay cheap. Diamonds count once per path, as the search walks them; the count itself does not.
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
 * Whether a capability could be part of a chain for a claim, caveats aside. A grant further up covers what the grants below it
 * cover, so each can be held against the first claim.
 */
export function couldGrant(granted: Capability, claim: Capability): boolean {
  return coversAbility(granted.can, claim.can) && coversResource(granted.with, claim.with);
}
