import { Delegation } from '@ucanto/core';
import type * as API from '@ucanto/interface';
import type { DecodedUcan } from './decode-token.js';

/** A decoded UCAN as ucanto's delegation, and the way back from those to ours. */
export interface UcantoView {
  readonly delegation: API.Delegation;
  sourceOf(delegation: API.Delegation): DecodedUcan | undefined;
}

const NO_BLOCKS = new Map<string, API.Block>();

/**
 * Builds ucanto's view of a token from what is decoded already, so that no block is decoded twice and shared proofs are
 * shared objects. One clock decides, ours: ucanto reads the system's, so where the two could differ it is shown a UCAN that
 * is always or never valid.
 */
export function ucantoView(root: DecodedUcan, nowSeconds: number): UcantoView {
  const built = new Map<DecodedUcan, API.Delegation>();
  const sources = new Map<API.Delegation, DecodedUcan>();

  function build(ucan: DecodedUcan): API.Delegation {
    const known = built.get(ucan);
    if (known !== undefined) return known;
    const delegation = Delegation.create({ root: { cid: ucan.cid, bytes: ucan.bytes }, blocks: NO_BLOCKS });
    nameOnce(ucan.view.issuer, ucan.issuer);
    nameOnce(ucan.view.audience, ucan.audience);
    Object.defineProperty(delegation, 'data', { value: timed(ucan, nowSeconds) });
    Object.defineProperty(delegation, 'proofs', { value: ucan.proofs.map(build) });
    built.set(ucan, delegation);
    sources.set(delegation, ucan);
    return delegation;
  }

  return { delegation: build(root), sourceOf: (delegation) => sources.get(delegation) };
}

function timed(ucan: DecodedUcan, nowSeconds: number): DecodedUcan['view'] {
  const live = ucan.notBefore <= nowSeconds && nowSeconds < ucan.expiresAt;
  if (ucan.notBefore === 0 && live === Date.now() / 1000 < ucan.expiresAt) return ucan.view;
  return Object.create(ucan.view, {
    expiration: { value: live ? Number.POSITIVE_INFINITY : 0 },
    notBefore: { value: undefined },
  });
}

/** A DID spells itself in base58 each time it is asked; the decoder has that text already. */
function nameOnce(principal: { did: () => string }, did: string): void {
  principal.did = () => did;
}
