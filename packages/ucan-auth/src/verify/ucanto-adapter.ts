import type * as API from '@ucanto/interface';
import type { DecodedUcan } from '../decode/decode-token.js';
import type { Capability } from '../decode/ucan-block.js';
import { couldGrant } from '../policy/capabilities.js';

/** The root authority for ucanto's validator. It has no key, so the keys of all issuers are resolved in the same way. */
export const NO_AUTHORITY: API.DID = 'did:web:authority.invalid';

/**
 * Model of a UCAN with as little content as `@ipld/dag-ucan` accepts. That package serialises the model for each signature check and
 * passes the result to the verifier, which ignores it: `SignatureChecks` builds the signed payload from the decoded UCAN.
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

/** A decoded UCAN as ucanto's validator reads it: one object is the delegation, its content and its signature. */
export class UcanView {
  readonly ucan: DecodedUcan;
  readonly capabilities: readonly Capability[];
  readonly proofs: readonly UcanView[];
  readonly issuer: { did(): string };
  readonly audience: { did(): string };
  /** Never or always expired: ucanto would compare an expiry with the system clock instead of `nowSeconds`. */
  readonly expiration: number;

  constructor(ucan: DecodedUcan, capabilities: readonly Capability[], proofs: readonly UcanView[], nowSeconds: number) {
    this.ucan = ucan;
    this.capabilities = capabilities;
    this.proofs = proofs;
    this.issuer = { did: () => ucan.issuer };
    this.audience = { did: () => ucan.audience };
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

/**
 * The view of a token for ucanto's validator. No block is decoded twice, and a shared proof is one shared object. The view contains only
 * `claim` of the root's capabilities, because ucanto accepts whichever has a chain, and only proofs that could grant a part of the claim,
 * because ucanto looks up keys and checks signatures of all proofs.
 */
export function viewForUcanto(root: DecodedUcan, claim: Capability, nowSeconds: number): UcanView {
  const views = new Map<DecodedUcan, UcanView>();

  function view(ucan: DecodedUcan, capabilities: readonly Capability[]): UcanView {
    const proofs: UcanView[] = [];
    for (const proof of ucan.proofs) {
      const known = views.get(proof);
      const granting = known === undefined ? proof.capabilities.filter((granted) => couldGrant(granted, claim)) : [];
      if (known !== undefined) proofs.push(known);
      else if (granting.length > 0) proofs.push(view(proof, granting));
    }
    const created = new UcanView(ucan, capabilities, proofs, nowSeconds);
    views.set(ucan, created);
    return created;
  }

  return view(root, [claim]);
}

/** Whether a value is a view, which has all members of a delegation that ucanto's validator reads. */
export function isView(value: unknown): value is UcanView & API.Delegation {
  return value instanceof UcanView;
}
