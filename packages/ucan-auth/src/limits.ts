/** What one token may hold. Every bound is checked before the work it bounds. */
export interface TokenLimits {
  /** Length of the token's text. */
  readonly characters: number;
  /** Blocks in the archive: its descriptor and the UCANs. */
  readonly blocks: number;
  /** Proofs of one UCAN. */
  readonly proofs: number;
  /** UCANs from the token's own to the end of its longest chain of proofs. */
  readonly depth: number;
  /** Issuers of all its UCANs that are no did:key, whose keys have to be looked up. */
  readonly lookedUpIssuers: number;
  /** Capabilities of one UCAN. */
  readonly capabilities: number;
  /** Facts of one UCAN. */
  readonly facts: number;
  /** Length of a DID, an ability, a resource or a nonce. */
  readonly textCharacters: number;
  /** Nesting inside caveats and facts. */
  readonly nesting: number;
  /** Steps the search for a proof may take in the worst case, counting only capabilities that could match the claim. */
  readonly proofPaths: number;
  /** Checks of signatures, each with one key: an issuer that is looked up may have several. */
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
