/** What a UCAN says it may be used for. */
export interface Capability {
  /** An ability such as `store/add`, a family of them such as `store/*`, or `*`. */
  readonly can: string;
  /** The resource: a URI. */
  readonly with: string;
  /** Caveats. */
  readonly nb?: Readonly<Record<string, unknown>>;
}

/** What a UCAN says, whoever wrote it down. */
export interface UcanContent {
  /** DIDs. */
  readonly issuer: string;
  readonly audience: string;
  readonly capabilities: readonly Capability[];
  /** Unix seconds; Infinity when it has no expiry. */
  readonly expiresAt: number;
  /** Unix seconds; 0 when it has no beginning. */
  readonly notBefore: number;
  /** Empty when there is none. */
  readonly nonce: string;
  readonly facts: readonly unknown[];
}
