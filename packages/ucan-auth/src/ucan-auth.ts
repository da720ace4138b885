import type { Allowance, Sender } from './allowance.js';
import type { AuthOutcome, Caller } from './auth-outcome.js';
import type { DidResolver } from './did-resolver.js';
import type { TokenLimits } from './limits.js';
import type { RequestHeaders } from './presented.js';
import type { Revoking, RevokingAllowances } from './record-revocation.js';
import type { ReplayStore } from './replay-store.js';
import type { RevocationStore } from './revocation-store.js';
import type { Capability } from './ucan-block.js';
import type { Validation } from './verdict.js';

export interface UcanAuthOptions {
  /** The DIDs of this service; a token must be addressed to one of them. */
  readonly audiences: readonly string[];
  /** Resources an invocation may name. Default `ixo:oracle`. */
  readonly resources?: readonly string[];
  /** How far ahead an invocation's expiry may lie, in seconds. Default 900. */
  readonly maxTtlSeconds?: number;
  /** The same for delegations. Default 366 days. */
  readonly maxDelegationTtlSeconds?: number;
  /**
   * Whether a delegation alone authenticates its issuer: always; `covering`, only where one of its capabilities covers one of
   * `resources` or `audiences`; or never. Whoever was given a delegation as a proof can show it. Default true.
   */
  readonly allowDelegationAuth?: boolean | 'covering';
  /** For issuers that are not did:key; other methods are refused. Default none. */
  readonly resolvers?: readonly DidResolver[];
  /** How long one request may wait for keys in all; then it is `unavailable`. Default 1900. */
  readonly keysTimeoutMs?: number;
  /** How many keys may be looked up for one address in a while; asked before each look-up. Default: as many as there are. */
  readonly lookUps?: Allowance;
  /** How many revocations may be asked for in a while. Default: as many as the store takes. */
  readonly revoking?: RevokingAllowances;
  readonly revocations?: RevocationStore;
  /** Needed by `authorize` with `singleUse`. */
  readonly replays?: ReplayStore;
  readonly limits?: Partial<TokenLimits>;
  /** Verdicts remembered, and keys. Default 10,000 each. */
  readonly cacheEntries?: number;
  /** Tokens that may wait to be looked at; of more, the longest are `unavailable`. Default 1000. */
  readonly waitingLimit?: number;
  /** Unix seconds. Default: the system's clock. */
  readonly now?: () => number;
}

/** With a `sender` whose `address` is given, the keys that have to be looked up are at the cost of that address. */
export interface UcanAuth {
  /** Whether a token is an invocation by which its issuer may use this service. Never rejects. */
  invocation(token: string, sender?: Sender): Promise<Validation>;
  /** Whether a token is a delegation to this service of anything its issuer may grant; the verdict lists what. Never rejects. */
  delegation(token: string, sender?: Sender): Promise<Validation>;
  /** Who issued a delegation to this service: what it says it grants is not judged. Never rejects. */
  delegationIdentity(token: string, sender?: Sender): Promise<Validation>;
  /**
   * Whether a token is a delegation to this service by which it may do `capability`; the path and `validUntil` are those of
   * that grant. Never rejects.
   */
  grant(token: string, capability: Capability, sender?: Sender): Promise<Validation>;
  /** Whether a token invokes `ability` on `resource`, and a chain that begins at the resource's owner grants that. Never rejects. */
  authorize(
    token: string,
    ability: string,
    resource: string,
    options?: Sender & { readonly singleUse?: boolean },
  ): Promise<Validation>;
  /**
   * Whether `issuer` wants `capability` done: the token is an invocation of it by them, whether or not it is theirs to have
   * done. Never rejects.
   */
  consent(token: string, issuer: string, capability: Capability, sender?: Sender): Promise<Validation>;
  /**
   * Records what a token of `mintRevocation` takes back, for its issuer; the verdict is the token's own. Never rejects.
   * `unavailable` without a store of revocations, or when it did not take the record; `no_room` when as many of the issuer are
   * kept as may be.
   */
  revoke(token: string, sender?: Sender): Promise<Revoking>;
  /**
   * Whether one of these UCANs was taken back by one of their issuers: for what goes on after it was judged, such as a
   * socket. False without a store of revocations; rejects when it cannot tell.
   */
  isAnyRevoked(path: Caller['path']): Promise<boolean>;
  /**
   * Who sent a request with these headers. With `actsBy`, an ability, also whoever shows an invocation of it on somebody's DID that a chain
   * from that DID grants: the caller is that DID then, and who shows it is the `actor`. Never rejects.
   */
  request(headers: RequestHeaders, sender?: Sender, actsBy?: string): Promise<AuthOutcome>;
  /** Who opened a WebSocket with this `auth` object, `{ invocation?, ucanDelegation? }`; `actsBy` as for requests. Never rejects. */
  handshake(auth: unknown, sender?: Sender, actsBy?: string): Promise<AuthOutcome>;
  /** Drops what is remembered of a DID: its keys and each verdict that rests on its signature. */
  forget(did: string): void;
}
