import type { Authorization, DID, PrincipalParser, Unauthorized, Verifier } from '@ucanto/interface';
import { capability, claim, Failure, Schema } from '@ucanto/validator';
import type { LRUCache } from 'lru-cache';
import type { DecodedUcan } from './decode-token.js';
import { didOfKey } from './did-key.js';
import type { KeyResolution } from './did-resolver.js';
import { NO_AUTHORITY } from './issuer-keys.js';
import type { RefusalCode } from './refusal.js';
import { coversResource } from './resource-matching.js';
import { sameData } from './same-data.js';
import type { Capability } from './ucan-block.js';
import { abilityText, isUri } from './ucanto-names.js';
import { isShown, ucantoView } from './ucanto-view.js';

export interface Case {
  /** The UCAN that makes the claim. */
  readonly ucan: DecodedUcan;
  /** One of its capabilities. */
  readonly claim: Capability;
  readonly nowSeconds: number;
  /** Verifiers, shared by the cases of one token. */
  readonly principal: PrincipalParser;
  /** Whether the chain may begin with `issuer`. */
  mayBegin(issuer: string): boolean;
}

/** `path`: the UCANs that carry the claim, from the one that makes it to the one that owns the resource. */
export type Judgement =
  | { readonly ok: true; readonly path: readonly DecodedUcan[] }
  | { readonly ok: false; readonly code: RefusalCode };

export type ClaimParser = ReturnType<typeof claimParser>;

export interface JudgeParts {
  /** Parsers by ability, kept because making one costs as much as using it. */
  readonly parsers: LRUCache<string, ClaimParser>;
  /** The keys of an issuer that is not a did:key. */
  resolve(did: string): Promise<KeyResolution>;
}

/**
 * Puts a claim before ucanto's validator, which knows the semantics of capabilities: signatures, alignment of principals,
 * attenuation along the proofs. What differs from its defaults: resources match at segment boundaries, caveats of a proof
 * bind whoever uses it, keys are checked by OpenSSL, and no authority can vouch for others.
 */
export async function judge(subject: Case, parts: JudgeParts): Promise<Judgement> {
  const view = ucantoView(subject.ucan, subject.claim, subject.nowSeconds);
  if (!isShown(view)) return { ok: false, code: 'not_authorized' };
  let keysMissing = false;
  const result = await claim(parserFor(subject.claim, parts.parsers), [view], {
    authority: NOBODY,
    principal: subject.principal,
    canIssue: (_, issuer) => subject.mayBegin(issuer),
    validateAuthorization: () => ({ ok: {} }),
    resolveDIDKey: async (did) => {
      // When one issuer could not be looked up, the others are not waited for.
      const resolution = keysMissing ? UNAVAILABLE : await parts.resolve(did);
      if (resolution.ok) return { ok: resolution.keys.map(didKey) };
      keysMissing = true;
      return { error: new KeysMissing(did) };
    },
  });
  if (result.error !== undefined) {
    return { ok: false, code: keysMissing ? 'unavailable' : codeOf(result.error) };
  }
  return { ok: true, path: pathOf(result.ok) };
}

function parserFor({ can }: Capability, parsers: LRUCache<string, ClaimParser>): ClaimParser {
  const known = parsers.get(can);
  if (known !== undefined) return known;
  const parser = claimParser(can);
  parsers.set(can, parser);
  return parser;
}

function claimParser(can: string) {
  return capability({
    can: abilityText(can),
    with: ANY_RESOURCE,
    nb: Schema.dictionary({ value: Schema.unknown() }),
    derives: (claim, proof) => {
      if (!coversResource(proof.with, claim.with)) return { error: MISMATCH };
      const caveats = Object.entries(proof.nb);
      return caveats.every(([name, value]) => sameData(claim.nb[name], value)) ? { ok: {} } : { error: MISMATCH };
    },
  });
}

// One for all: making an error costs more than finding one.
const MISMATCH = new Failure('not covered');

// The form of resources and abilities is the decoder's business; here they only need their types.
const ANY_RESOURCE = {
  read: (input: unknown) => (isUri(input) ? { ok: input } : { error: MISMATCH }),
};

function didKey(publicKey: Uint8Array): DID<'key'> {
  return `did:key:${didOfKey(publicKey).slice('did:key:'.length)}`;
}

const NOBODY: Verifier = {
  did: () => NO_AUTHORITY,
  toDIDKey: () => 'did:key:none',
  verify: () => false,
  withDID: () => {
    throw new TypeError('nobody has no other name');
  },
};

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;

class KeysMissing extends Failure {
  override readonly name = 'DIDKeyResolutionError' as const;
  override readonly cause = MISMATCH;
  readonly did: DID;

  constructor(did: DID) {
    super();
    this.did = did;
  }
}

// Names only: messages are built from the token's own text, at any length.
function codeOf(error: Unauthorized): RefusalCode {
  const names = error.invalidProofs.map((proof) => proof.name);
  if (names.includes('InvalidSignature')) return 'bad_signature';
  if (names.includes('DIDKeyResolutionError')) return 'unknown_issuer';
  return 'not_authorized';
}

function pathOf({ delegation, proofs }: Authorization): readonly DecodedUcan[] {
  const path = isShown(delegation) ? [delegation.ucan] : [];
  for (const proof of proofs) path.push(...pathOf(proof));
  return path;
}
