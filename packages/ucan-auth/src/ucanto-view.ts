import type * as API from '@ucanto/interface';
import type { DecodedUcan } from './decode-token.js';
import { couldGrant } from './proof-paths.js';
import type { Capability } from './ucan-block.js';

/**
 * Shows a token to ucanto's validator from what is decoded already, so that no block is decoded twice and shared proofs are
 * shared objects. Of what `root` says only `claim`, one of its capabilities, is shown: ucanto is content with whichever it finds
 * a chain for. Of its proofs only those are that could grant some of the claim, for ucanto looks up keys and checks signatures of whatever
 * it is shown.
 */
export function ucantoView(root: DecodedUcan, claim: Capability, nowSeconds: number): ShownUcan {
  const shown = new Map<DecodedUcan, ShownUcan>();

  function show(ucan: DecodedUcan, capabilities: readonly Capability[]): ShownUcan {
    const proofs: ShownUcan[] = [];
    for (const proof of ucan.proofs) {
      const known = shown.get(proof);
      const granting = known === undefined ? proof.capabilities.filter((granted) => couldGrant(granted, claim)) : [];
      if (known !== undefined) proofs.push(known);
      else if (granting.length > 0) proofs.push(show(proof, granting));
    }
    const view = new ShownUcan(ucan, capabilities, proofs, nowSeconds);
    shown.set(ucan, view);
    return view;
  }

  return show(root, [claim]);
}

/** Whether something is a delegation as far as ucanto's validator asks. */
export function isShown(view: unknown): view is ShownUcan & API.Delegation {
  return view instanceof ShownUcan;
}

/**
 * Model of a UCAN with as little content as `@ipld/dag-ucan` accepts. That package serialises the model for each signature check and
 * passes the result to the verifier, which ignores it: `IssuerKeys` builds the signed payload from the decoded UCAN.
 */
const MINIMAL_MODEL = {
  v: 0,
  iss: { did: () => 0 },
  aud: { did: () => 0 },
  att: 0,
  exp: 0,
  prf: { map: () => 0 },
  fct: { length: 0 },
};

/** What ucanto's validator asks of a delegation, of its content and of its signature: one object is all three. */
export class ShownUcan {
  readonly ucan: DecodedUcan;
  readonly capabilities: readonly Capability[];
  readonly proofs: readonly ShownUcan[];
  readonly issuer: ShownPrincipal;
  readonly audience: ShownPrincipal;
  /**
   * One clock decides, ours: ucanto reads the system's, so it is shown a UCAN that is always or never valid.
   */
  readonly expiration: number;

  constructor(
    ucan: DecodedUcan,
    capabilities: readonly Capability[],
    proofs: readonly ShownUcan[],
    nowSeconds: number,
  ) {
    this.ucan = ucan;
    this.capabilities = capabilities;
    this.proofs = proofs;
    this.issuer = new ShownPrincipal(ucan.issuer);
    this.audience = new ShownPrincipal(ucan.audience);
    const isLive = ucan.notBefore <= nowSeconds && nowSeconds < ucan.expiresAt;
    this.expiration = isLive ? Number.POSITIVE_INFINITY : 0;
  }

  get cid(): API.UCANLink {
    return this.ucan.cid;
  }

  get data(): this {
    return this;
  }

  get signature(): this {
    return this;
  }

  get algorithm(): number {
    return 0;
  }

  get notBefore(): undefined {
    return undefined;
  }

  get model(): typeof MINIMAL_MODEL {
    return MINIMAL_MODEL;
  }
}

class ShownPrincipal {
  readonly #did: string;

  constructor(did: string) {
    this.#did = did;
  }

  did(): string {
    return this.#did;
  }
}
