/** The connected user, and their session at a Matrix homeserver. */
export interface IWallet {
  /** Account address on the chain. */
  readonly address: string;
  readonly did: string;
  /** DID of the actor that uses `oracle/converse` invocations for that user; it can neither see nor settle approvals. */
  readonly actor?: string;
  readonly matrix: {
    readonly accessToken: string;
    /** Base URL, such as `https://matrix.example`. */
    readonly homeServer: string;
  };
}

/** Signs and broadcasts chain transactions; resolves to the chain's response. */
export type TransactSignX = (messages: readonly unknown[], memo?: string) => Promise<unknown>;

/** A token that the user's wallet has signed. */
export interface SignedArtifact {
  /** Base64 of the token's CAR, as transmitted. */
  readonly serialized: string;
  /** Unix time in milliseconds; a value too small for that is taken for seconds. */
  readonly expiresAt: number;
}

/** Signs a token with the oracle as its audience. */
export type SignArtifact = (oracleDid: string) => Promise<SignedArtifact>;

/** Outside of a provider there is no user. Clients of this protocol depend on the text. */
export const outsideOfProvider = 'useOraclesContext must be used within a OraclesProvider';

// Not in a context: functions that are no hooks are called without one.
const connected: IWallet[] = [];

/** Registers a wallet for functions outside hooks; the returned function removes it. */
export function connectWallet(wallet: IWallet): () => void {
  connected.push(wallet);
  return () => void connected.splice(connected.indexOf(wallet), 1);
}

/** The wallet of the mounted provider; of several, the last. Throws if there is none. */
export function connectedWallet(): IWallet {
  const wallet = connected.at(-1);
  if (wallet === undefined) throw new Error(outsideOfProvider);
  return wallet;
}
