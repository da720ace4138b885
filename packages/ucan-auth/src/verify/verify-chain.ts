import type { Authorization, DID, PrincipalParser, Unauthorized, Verifier } from '@ucanto/interface';
import { capability, claim as claimOf, Failure, Schema } from '@ucanto/validator';
import type { LRUCache } from 'lru-cache';
import type { DecodedToken, DecodedUcan } from '../decode/decode-token.js';
import type { RefusalCode } from '../decode/refusal.js';
import type { Capability } from '../decode/ucan-block.js';
import { didOfKey } from '../dids/did-key.js';
import type { KeyResolution } from '../dids/did-resolver.js';
import { abilityText, countProofPaths, coversCaveats, coversResource, isUri } from '../policy/capabilities.js';
import { type Requirements, relevantCapabilities } from '../policy/requirements.js';
import { ownerOf } from '../policy/resource-owner.js';
import type { VerifiedToken } from './result.js';
import { isView, NO_AUTHORITY, viewForUcanto } from './ucanto-adapter.js';

export interface ChainOptions {
  /** Unix seconds. */
  readonly nowSeconds: number;
  /** Signature verifiers, shared by all claims of one token (`IssuerKeys.forOneToken`). */
  readonly principal: PrincipalParser;
  readonly parsers: ClaimParsers;
  /** Resolves the keys of an issuer that is not did:key. */
  readonly resolve: (did: string) => Promise<KeyResolution>;
}

/** ucanto parsers by ability, with `claimParser` as the memo method: creating a parser costs as much as using it. */
export type ClaimParsers = LRUCache<string, ReturnType<typeof claimParser>>;

export type ChainResult =
  | { readonly ok: true; readonly result: Omit<VerifiedToken, 'freshUntil'> }
  | { readonly ok: false; readonly code: RefusalCode };

/** A capability with the UCANs of its valid proof chain, from the token's own to the first. */
interface Proven {
  readonly claim: Capability;
  readonly path: readonly DecodedUcan[];
}

/** The number of capabilities of one token that are searched for a proof chain, unless the token has no proofs. */
const CLAIMS_TRIED = 8;

/**
 * Verifies the proof chains of a token that meets the requirements. The result lists the capabilities with a valid chain: the only one of
 * an invocation, the one that a grant requires, else all of them. A token without any is refused.
 */
export async function verifyCapabilities(
  token: DecodedToken,
  requirements: Requirements,
  options: ChainOptions,
): Promise<ChainResult> {
  const mayStart = chainStarts(token, requirements);
  const proven: Proven[] = [];
  let code: RefusalCode = 'not_authorized';
  for (const granted of provableClaims(token.root, requirements, mayStart)) {
    // A grant may require less than the token grants.
    const claim = requirements.grants ?? granted;
    const chain = await verifyChain(token.root, granted, mayStart(claim), options);
    if (chain.ok) proven.push({ claim, path: chain.path });
    else code = chain.code;
    // One capability is enough unless all are required. A bad signature or a missing key affects all of them.
    if (chain.ok ? !requiresAll(requirements) : code !== 'not_authorized') break;
  }
  return proven.length > 0 ? { ok: true, result: resultOf(token.root, proven, requirements) } : { ok: false, code };
}

const requiresAll = ({ proofKind, only, grants }: Requirements) =>
  proofKind === 'authority' && only === undefined && grants === undefined;

/** Whether a proof chain for a claim may start with an issuer. */
type MayStart = (claim: Capability) => (issuer: string) => boolean;

/**
 * A chain starts with the owner of the claimed resource. A chain for a shared resource, or one that only proves an identity, may
 * start with any issuer that has no proofs: an issuer with proofs must be authorised by them.
 */
function chainStarts(token: DecodedToken, { proofKind }: Requirements): MayStart {
  const hasNoProofs = (did: string) => token.ucans.some(({ issuer, proofs }) => issuer === did && proofs.length === 0);
  return ({ with: resource }) => {
    const owner = ownerOf(resource);
    const isFree = owner === undefined || proofKind === 'identity';
    return (issuer) => issuer === owner || (isFree && hasNoProofs(issuer));
  };
}

/** Claims that the issuer may start a chain for, or that a proof could grant. */
function provableClaims(root: DecodedUcan, requirements: Requirements, mayStart: MayStart): readonly Capability[] {
  const claims = relevantCapabilities(root, requirements);
  const provable = claims.filter(
    (claim) => mayStart(requirements.grants ?? claim)(root.issuer) || countProofPaths(root, claim) > 0,
  );
  return provable.slice(0, root.proofs.length === 0 && requiresAll(requirements) ? claims.length : CLAIMS_TRIED);
}

function resultOf(root: DecodedUcan, proven: readonly Proven[], { proofKind, only }: Requirements) {
  const path = [...new Set(proven.flatMap((one) => one.path))];
  return {
    issuer: root.issuer,
    audience: root.audience,
    cid: root.cid.toString(),
    capabilities: proofKind === 'authority' || only !== undefined ? proven.map(({ claim }) => claim) : [],
    expiresAt: root.expiresAt,
    validUntil: Math.min(...path.map((ucan) => ucan.expiresAt)),
    path: path.map((ucan) => ({ cid: ucan.cid.toString(), issuer: ucan.issuer })),
  };
}

type Chain =
  | { readonly ok: true; readonly path: readonly DecodedUcan[] }
  | { readonly ok: false; readonly code: RefusalCode };

/**
 * Verifies one claim by ucanto's validator: signatures, alignment of issuers and audiences, attenuation along the proofs. The times of
 * proofs are decided by `UcanView` (`ucanto-adapter.ts`), those of the token by `policy/requirements.ts`.
 * It differs from ucanto's defaults: resources match at segment boundaries, caveats of a proof bind its audience, OpenSSL checks
 * the signatures, and attestations by an authority are not accepted.
 */
async function verifyChain(
  root: DecodedUcan,
  claim: Capability,
  mayStart: (issuer: string) => boolean,
  { nowSeconds, principal, parsers, resolve }: ChainOptions,
): Promise<Chain> {
  const view = viewForUcanto(root, claim, nowSeconds);
  if (!isView(view)) return { ok: false, code: 'not_authorized' };
  let isKeyMissing = false;
  const result = await claimOf(parsers.memo(claim.can), [view], {
    authority: AUTHORITY,
    principal,
    canIssue: (_, issuer) => mayStart(issuer),
    validateAuthorization: () => ({ ok: {} }),
    resolveDIDKey: async (did) => {
      // After one failed lookup, no further lookups are made for this claim.
      const resolution = isKeyMissing ? UNAVAILABLE : await resolve(did);
      if (resolution.ok) return { ok: resolution.keys.map(didKeyOf) };
      isKeyMissing = true;
      return { error: new MissingKeyFailure(did) };
    },
  });
  if (result.error !== undefined) {
    return { ok: false, code: isKeyMissing ? 'unavailable' : codeOf(result.error) };
  }
  return { ok: true, path: pathOf(result.ok) };
}

/** A ucanto parser for claims of one ability. */
export function claimParser(can: string) {
  return capability({
    can: abilityText(can),
    with: ANY_RESOURCE,
    nb: Schema.dictionary({ value: Schema.unknown() }),
    derives: (claim, proof) =>
      coversResource(proof.with, claim.with) && coversCaveats(proof.nb, claim.nb) ? { ok: {} } : { error: MISMATCH },
  });
}

// One shared instance: creating an error costs more than the comparison.
const MISMATCH = new Failure('not covered');

// The decoder checks the form of resources; this check only narrows the type.
const ANY_RESOURCE = {
  read: (input: unknown) => (isUri(input) ? { ok: input } : { error: MISMATCH }),
};

function didKeyOf(publicKey: Uint8Array): DID<'key'> {
  return `did:key:${didOfKey(publicKey).slice('did:key:'.length)}`;
}

const AUTHORITY: Verifier = {
  did: () => NO_AUTHORITY,
  toDIDKey: () => 'did:key:none',
  verify: () => false,
  withDID: () => {
    throw new TypeError('the authority cannot be renamed');
  },
};

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;

class MissingKeyFailure extends Failure {
  override readonly name = 'DIDKeyResolutionError' as const;
  override readonly cause = MISMATCH;
  readonly did: DID;

  constructor(did: DID) {
    super();
    this.did = did;
  }
}

/** Reads error names only: messages contain text of the token, at any length. */
function codeOf(error: Unauthorized): RefusalCode {
  const names = error.invalidProofs.map((proof) => proof.name);
  if (names.includes('InvalidSignature')) return 'bad_signature';
  if (names.includes('DIDKeyResolutionError')) return 'unknown_issuer';
  return 'not_authorized';
}

function pathOf({ delegation, proofs }: Authorization): readonly DecodedUcan[] {
  const path = isView(delegation) ? [delegation.ucan] : [];
  for (const proof of proofs) path.push(...pathOf(proof));
  return path;
}
