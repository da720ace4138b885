import type { UCANLink } from '@ucanto/interface';
import { readArchive, type UcanArchive } from './car-blocks.js';
import { DEFAULT_LIMITS, type TokenLimits } from './limits.js';
import { type RefusalCode, Refused, refusalOf } from './refusal.js';
import { bytesOfToken } from './token-text.js';
import { readUcan, type UcanClaims } from './ucan-block.js';

export type { TokenLimits } from './limits.js';
export { DEFAULT_LIMITS } from './limits.js';
export type { RefusalCode } from './refusal.js';
export type { Capability } from './ucan-block.js';

/** One UCAN with its proofs. Content is as signed; whether it is signed is not known yet. */
export interface DecodedUcan extends Omit<UcanClaims, 'proofKeys'> {
  readonly cid: UCANLink;
  readonly bytes: Uint8Array;
  readonly proofs: readonly DecodedUcan[];
}

export interface DecodedToken {
  /** The token's own UCAN. */
  readonly root: DecodedUcan;
  /** All UCANs of the token, each once, proofs before those that use them. */
  readonly ucans: readonly DecodedUcan[];
}

export type Decoding =
  | { readonly ok: true; readonly token: DecodedToken }
  | { readonly ok: false; readonly code: RefusalCode };

/**
 * Reads a token: base64 of a CARv1 archive of UCANs 0.9.1 in dag-cbor. Pure, synchronous, bounded, never throws. It accepts
 * one spelling of each token, every block of which is what its CID says and is reachable from the root. It checks no
 * signature, time or authority.
 */
export function decodeToken(token: string, limits: TokenLimits = DEFAULT_LIMITS): Decoding {
  try {
    return { ok: true, token: assemble(readArchive(bytesOfToken(token, limits.characters), limits), limits) };
  } catch (thrown) {
    return { ok: false, code: refusalOf(thrown) };
  }
}

interface Visited {
  readonly ucan: DecodedUcan;
  /** Of it and the proofs under it. */
  readonly height: number;
}

function assemble(archive: UcanArchive, limits: TokenLimits): DecodedToken {
  const done = new Map<string, Visited>();

  // A CID is the hash of content that holds the CIDs of its proofs, so there are no cycles; the depth bounds the recursion.
  function visit(key: string, depth: number): Visited {
    if (depth > limits.depth) throw new Refused('too_complex');
    const known = done.get(key);
    if (known !== undefined) {
      if (depth + known.height - 1 > limits.depth) throw new Refused('too_complex');
      return known;
    }
    const block = archive.blocks.get(key);
    if (block === undefined) throw new Refused('malformed');
    const claims = readUcan(block, limits);
    const proofs: DecodedUcan[] = [];
    let height = 1;
    for (const proofKey of claims.proofKeys) {
      const proof = visit(proofKey, depth + 1);
      proofs.push(proof.ucan);
      height = Math.max(height, 1 + proof.height);
    }
    const { cid, bytes } = block;
    const { signature, nonce, facts, issuer, audience, capabilities, expiresAt, notBefore } = claims;
    const said = { signature, nonce, facts, issuer, audience, capabilities, expiresAt, notBefore, cid, bytes, proofs };
    const entry = { ucan: said, height };
    done.set(key, entry);
    return entry;
  }

  const { ucan: root } = visit(archive.rootKey, 1);
  if (done.size !== archive.blocks.size) throw new Refused('malformed');
  const ucans = [...done.values()].map((entry) => entry.ucan);
  const lookedUp = new Set<string>();
  for (const { issuer } of ucans) if (!issuer.startsWith('did:key:')) lookedUp.add(issuer);
  if (lookedUp.size > limits.lookedUpIssuers) throw new Refused('too_complex');
  return { root, ucans };
}
