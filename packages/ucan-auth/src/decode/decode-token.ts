import type { UCANLink } from '@ucanto/interface';
import { readArchive, type UcanArchive } from './archive.js';
import { type RefusalCode, Refused, refusalOf } from './refusal.js';
import { readUcan, type UcanClaims, type UcanLimits } from './ucan-block.js';

export type { RefusalCode } from './refusal.js';
export type { Capability } from './ucan-block.js';

/** Limits of one token. Each is checked before the work that it bounds. */
export interface TokenLimits extends UcanLimits {
  /** Length of the token text. */
  readonly characters: number;
  /** Blocks in the archive: the descriptor and the UCANs. */
  readonly blocks: number;
  /** UCANs on the longest proof chain, the token's own included. */
  readonly depth: number;
  /** Issuers of the token's UCANs that are not did:key: their keys have to be looked up. */
  readonly lookedUpIssuers: number;
  /** Steps of a proof search in the worst case, counting only capabilities that could match the claim. */
  readonly proofPaths: number;
  /** Signature checks, each with one key: an issuer that is looked up may have several keys. */
  readonly verifications: number;
}

export const DEFAULT_LIMITS: TokenLimits = {
  characters: 8192,
  blocks: 12,
  proofs: 4,
  depth: 5,
  lookedUpIssuers: 3,
  capabilities: 20,
  facts: 20,
  textCharacters: 512,
  nesting: 16,
  proofPaths: 32,
  verifications: 32,
};

/** One UCAN with its proofs, as written in the token. Its signature is not verified yet. */
export interface DecodedUcan extends Omit<UcanClaims, 'proofKeys'> {
  readonly cid: UCANLink;
  readonly bytes: Uint8Array;
  readonly proofs: readonly DecodedUcan[];
}

export interface DecodedToken {
  /** The token's own UCAN. */
  readonly root: DecodedUcan;
  /** All UCANs of the token, each once, a proof before the UCANs that use it. */
  readonly ucans: readonly DecodedUcan[];
}

export type Decoding =
  | { readonly ok: true; readonly token: DecodedToken }
  | { readonly ok: false; readonly code: RefusalCode };

/**
 * Decodes a token: base64 of a CARv1 archive of UCANs 0.9.1 in dag-cbor. Pure, synchronous and bounded; never throws. Accepts exactly
 * one encoding of each token, in which every block matches its CID and is reachable from the root. Does not check signatures, times or
 * authority.
 */
export function decodeToken(token: string, limits: TokenLimits = DEFAULT_LIMITS): Decoding {
  try {
    return { ok: true, token: assemble(readArchive(decodeBase64(token, limits.characters), limits.blocks), limits) };
  } catch (thrown) {
    return { ok: false, code: refusalOf(thrown) };
  }
}

/**
 * The bytes of a token text: standard base64 with padding, or base64url with or without padding (RFC 4648). Mixed alphabets, other
 * characters and leftover bits are refused.
 */
function decodeBase64(token: string, limitCharacters: number): Uint8Array {
  if (token.length > limitCharacters) throw new Refused('too_large');
  // Node's decoder accepts both alphabets and skips other characters, so the bytes are encoded again and compared.
  const bytes = Buffer.from(token, 'base64');
  if (token === bytes.toString('base64')) return bytes;
  const unpadded = bytes.toString('base64url');
  const padded = unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, '=');
  if (token === unpadded || token === padded) return bytes;
  throw new Refused('malformed');
}

interface Visited {
  readonly ucan: DecodedUcan;
  /** UCANs on the longest chain from this one down. */
  readonly height: number;
}

function assemble(archive: UcanArchive, limits: TokenLimits): DecodedToken {
  const visited = new Map<string, Visited>();

  // A CID is the hash of content that holds the CIDs of its proofs, so there are no cycles; the depth bounds the recursion.
  function visit(key: string, depth: number): Visited {
    if (depth > limits.depth) throw new Refused('too_complex');
    const known = visited.get(key);
    if (known !== undefined) {
      if (depth + known.height - 1 > limits.depth) throw new Refused('too_complex');
      return known;
    }
    const block = archive.blocks.get(key);
    if (block === undefined) throw new Refused('malformed');
    const { proofKeys, ...content } = readUcan(block, limits);
    const proofs: DecodedUcan[] = [];
    let height = 1;
    for (const proofKey of proofKeys) {
      const proof = visit(proofKey, depth + 1);
      proofs.push(proof.ucan);
      height = Math.max(height, 1 + proof.height);
    }
    const entry = { ucan: { ...content, cid: block.cid, bytes: block.bytes, proofs }, height };
    visited.set(key, entry);
    return entry;
  }

  const { ucan: root } = visit(archive.rootKey, 1);
  if (visited.size !== archive.blocks.size) throw new Refused('malformed');
  const ucans = [...visited.values()].map((entry) => entry.ucan);
  const lookedUp = new Set<string>();
  for (const { issuer } of ucans) if (!issuer.startsWith('did:key:')) lookedUp.add(issuer);
  if (lookedUp.size > limits.lookedUpIssuers) throw new Refused('too_complex');
  return { root, ucans };
}
