/** So much of something in a while, for each holder: an address, or a DID. Where it is counted is the service's business. */
export interface Allowance {
  /** Takes one, before what it is for is done. Rejects when it cannot be told whether there is one left. */
  take(holder: string): Promise<Taken>;
}

export type Taken = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

/** Who sends a token. */
export interface Sender {
  /** By which its cost is bounded and shared: callers who cannot be told apart, such as an address or an IPv6 network. */
  readonly address?: string | undefined;
}
