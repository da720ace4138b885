import { Delegation } from '@ucanto/core';
import type * as API from '@ucanto/interface';
import type { DecodedUcan } from './decode-token.js';
import type { Capability } from './ucan-block.js';

/** A decoded UCAN as ucanto's delegation, and the way back from those to ours. */
export interface UcantoView {
  readonly delegation: API.Delegation;
  sourceOf(delegation: API.Delegation): DecodedUcan | undefined;
}

const NO_BLOCKS = new Map<string, API.Block>();

/**
 * Builds ucanto's view of a token from what is decoded already, so that no block is decoded twice and shared proofs are
 * shared objects. Of what `root` says only `claim`, one of its capabilities, is shown: ucanto is content with whichever it finds
 * a chain for.
 */
export function ucantoView(root: DecodedUcan, claim: Capability, nowSeconds: number): UcantoView {
  const built = new Map<DecodedUcan, API.Delegation>();
  const sources = new Map<API.Delegation, DecodedUcan>();

  function build(ucan: DecodedUcan): API.Delegation {
    const known = built.get(ucan);
    if (known !== undefined) return known;
    const delegation = Delegation.create({ root: { cid: ucan.cid, bytes: ucan.bytes }, blocks: NO_BLOCKS });
    const shown = ucan === root ? [claim] : ucan.capabilities;
    Object.defineProperty(delegation, 'data', { value: new ShownUcan(ucan, shown, nowSeconds) });
    Object.defineProperty(delegation, 'proofs', { value: ucan.proofs.map(build) });
    built.set(ucan, delegation);
    sources.set(delegation, ucan);
    return delegation;
  }

  return { delegation: build(root), sourceOf: (delegation) => sources.get(delegation) };
}

/** Stands for a signature where ucanto hands it to a verifier, and says whose it is. */
export class ShownSignature {
  readonly algorithm = 'EdDSA';
  readonly ucan: DecodedUcan;

  constructor(ucan: DecodedUcan) {
    this.ucan = ucan;
  }
}

/** Of what it verifies ucanto writes the signed text; ours is written elsewhere, in a tenth of the time, so it gets little to write. */
const LITTLE_TO_WRITE = {
  v: '0.9.1',
  iss: { did: () => '' },
  aud: { did: () => '' },
  att: [],
  exp: 0,
  prf: [],
  fct: [],
};

/** What ucanto's validator asks of a UCAN's content. */
class ShownUcan {
  readonly version = '0.9.1';
  readonly model = LITTLE_TO_WRITE;
  readonly issuer: { did(): string };
  readonly audience: { did(): string };
  readonly capabilities: readonly Capability[];
  readonly facts: readonly unknown[];
  readonly signature: ShownSignature;
  /**
   * One clock decides, ours: ucanto reads the system's, so it is shown a UCAN that is always or never valid.
   */
  readonly expiration: number;
  readonly notBefore: undefined;

  constructor(ucan: DecodedUcan, capabilities: readonly Capability[], nowSeconds: number) {
    this.issuer = { did: () => ucan.issuer };
    this.audience = { did: () => ucan.audience };
    this.capabilities = capabilities;
    this.facts = ucan.facts;
    this.signature = new ShownSignature(ucan);
    const isLive = ucan.notBefore <= nowSeconds && nowSeconds < ucan.expiresAt;
    this.expiration = isLive ? Number.POSITIVE_INFINITY : 0;
  }
}
