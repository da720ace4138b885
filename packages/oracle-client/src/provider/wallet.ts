/** The connected user, and their session at a Matrix homeserver. */
export interface IWallet {
  /** Account address on the chain. */
  readonly address: string;
  readonly did: string;
  /** DID of whoever acts for that user, by invocations of `oracle/converse`: nothing is decided, or asked for, in the user's place. */
  readonly actor?: string;
  readonly matrix: {
    readonly accessToken: string;
    /** Base URL, such as `https://matrix.example`. */
    readonly homeServer: string;
  };
}

/** Signs and broadcasts chain transactions, and gives what the chain answered. */
export type TransactSignX = (messages: readonly unknown[], memo?: string) => Promise<unknown>;

/** A token that the user's wallet has signed. */
export interface SignedArtifact {
  /** Base64 of the token's CAR, as it is sent. */
  readonly serialized: string;
  /** Unix time in milliseconds; a value too small for that is taken for seconds. */
  readonly expiresAt: number;
}

/** Signs a token whose audience is the oracle. */
export type SignArtifact = (oracleDid: string) => Promise<SignedArtifact>;
