import { CBOR } from '@ucanto/core';
import type { Allowance, Sender } from './allowance.js';
import type { AuthOutcome, Caller } from './auth-outcome.js';
import { authenticator } from './authenticate.js';
import { BoundedMap } from './bounded-map.js';
import { CpuLane } from './cpu-lane.js';
import { decodeToken } from './decode-token.js';
import type { DidResolver } from './did-resolver.js';
import type { Expectation } from './expectations.js';
import { IssuerKeys } from './issuer-keys.js';
import { KeyBudget } from './key-budget.js';
import { DEFAULT_LIMITS, type TokenLimits } from './limits.js';
import { presentedInHandshake, presentedInHeaders, type RequestHeaders } from './presented.js';
import { REVOKE } from './read-revocation.js';
import { type Revoking, type RevokingAllowances, recordRevocation } from './record-revocation.js';
import { refuseRevoked } from './refuse-revoked.js';
import type { ReplayStore } from './replay-store.js';
import { ownerOf } from './resource-owner.js';
import type { RevocationStore } from './revocation-store.js';
import type { Capability } from './ucan-block.js';
import { type ValidationParts, validateToken } from './validate-token.js';
import type { Validation, Verdict } from './verdict.js';
import { cacheKey, VerdictCache } from './verdict-cache.js';

export type { Allowance, Sender, Taken } from './allowance.js';
export type { AuthFailure, AuthOutcome, Caller, PresentedDelegation } from './auth-outcome.js';
export type { DidResolver, KeyResolution } from './did-resolver.js';
export type { RequestHeaders } from './presented.js';
export type { Revoking, RevokingAllowances } from './record-revocation.js';
export type { RefusalCode } from './refusal.js';
export type { Capability } from './ucan-block.js';
export type { Validation, Verdict } from './verdict.js';

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

/** Small, so that a request that takes several turns of the event loop is not held up for as many long ones. */
const CPU_SLICE = { sliceMs: 1, slicePieces: 8 };
const PARSERS_KEPT = 100;
const KEYS_TIMEOUT_MS = 1900;

/** Token authentication for one service: holds the caches, opens nothing. */
export function createUcanAuth(options: UcanAuthOptions): UcanAuth {
  const { maxTtlSeconds = 900, maxDelegationTtlSeconds = 31_622_400, allowDelegationAuth = true } = options;
  const { resolvers = [], keysTimeoutMs = KEYS_TIMEOUT_MS, lookUps, revocations, replays } = options;
  const { cacheEntries = 10_000, waitingLimit = 1000 } = options;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const audiences = new Set(options.audiences);
  const resources = new Set(options.resources ?? ['ixo:oracle']);
  const cache = new VerdictCache(cacheEntries);
  const lane = new CpuLane({ ...CPU_SLICE, waitingLimit });
  const parts: ValidationParts = {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    revocations,
    keys: new IssuerKeys(cacheEntries),
    parsers: new BoundedMap(PARSERS_KEPT),
    lane,
    resolvers: new Map(resolvers.map((resolver) => [resolver.method, resolver])),
    now,
  };
  const expectations = {
    invocation: {
      audiences,
      ttlLimitSeconds: maxTtlSeconds,
      only: { can: '*', resources, caveats: 'none' },
      standing: 'owner',
    },
    delegation: { audiences, ttlLimitSeconds: maxDelegationTtlSeconds, standing: 'owner' },
    identity: { audiences, ttlLimitSeconds: maxDelegationTtlSeconds, standing: 'speaker' },
    login: {
      audiences,
      ttlLimitSeconds: maxDelegationTtlSeconds,
      covers: new Set([...resources, ...audiences]),
      standing: 'speaker',
    },
  } as const satisfies Record<string, Expectation>;

  const budgetOf = (sender: Sender) => new KeyBudget({ timeoutMs: keysTimeoutMs, address: sender.address, lookUps });

  async function validate(
    kind: string,
    expected: Expectation,
    token: string,
    payer: Sender | KeyBudget,
  ): Promise<Validation> {
    if (token.length > parts.limits.characters) return { ok: false, code: 'too_large' };
    const key = cacheKey(kind, token);
    const known = cache.find(key, now());
    if (known !== undefined) return unlessRevoked(key, known);
    const budget = payer instanceof KeyBudget ? payer : budgetOf(payer);
    const { validation, isJoined } = await cache.add(key, () => validateToken(token, expected, parts, budget));
    // Who joined may have come after a revocation that whoever began did not see.
    return isJoined && validation.ok ? unlessRevoked(key, validation.verdict) : validation;
  }

  async function unlessRevoked(key: string, verdict: Verdict): Promise<Validation> {
    if (revocations === undefined) return { ok: true, verdict };
    const revoked = await refuseRevoked(verdict, revocations);
    if (revoked === undefined) return { ok: true, verdict };
    cache.drop(key);
    return { ok: false, code: revoked };
  }

  const invocation = (token: string, payer: Sender | KeyBudget = {}) =>
    validate('invocation', expectations.invocation, token, payer);
  const delegation = (token: string, sender: Sender = {}) =>
    validate('delegation', expectations.delegation, token, sender);
  const delegationIdentity = (token: string, payer: Sender | KeyBudget = {}) =>
    validate('identity', expectations.identity, token, payer);

  async function grant(token: string, capability: Capability, sender: Sender = {}): Promise<Validation> {
    const kind = grantKind(capability);
    if (kind === undefined) return { ok: false, code: 'wrong_capability' };
    return validate(kind, { ...expectations.delegation, grants: capability }, token, sender);
  }

  async function authorize(
    token: string,
    ability: string,
    resource: string,
    use: Sender & { readonly singleUse?: boolean } = {},
  ) {
    const only = { can: ability, resources: new Set([resource]), caveats: 'any' } as const;
    const expected = { audiences, ttlLimitSeconds: maxTtlSeconds, only, standing: 'owner' } as const;
    const validation = await validate(`authorize ${ability} ${resource}`, expected, token, use);
    if (!validation.ok || use.singleUse !== true) return validation;
    if (replays === undefined) return { ok: false, code: 'unavailable' } as const;
    try {
      const first = await replays.claim(validation.verdict.cid, validation.verdict.expiresAt);
      return first ? validation : ({ ok: false, code: 'replayed' } as const);
    } catch {
      return { ok: false, code: 'unavailable' } as const;
    }
  }

  async function forOwner(token: string, ability: string, payer: KeyBudget): Promise<Validation> {
    const decoding = decodeToken(token, parts.limits);
    if (!decoding.ok) return decoding;
    const owner = decoding.token.root.capabilities[0]?.with ?? '';
    if (ownerOf(owner) !== owner) return { ok: false, code: 'wrong_resource' };
    const only = { can: ability, resources: new Set([owner]), caveats: 'none' } as const;
    const expected = { audiences, ttlLimitSeconds: maxTtlSeconds, only, standing: 'owner' } as const;
    return validate(`${ability} for ${owner}`, expected, token, payer);
  }

  function consent(token: string, issuer: string, { can, with: resource }: Capability, sender: Sender = {}) {
    const only = { can, resources: new Set([resource]), caveats: 'any' } as const;
    const expected = { audiences, ttlLimitSeconds: maxTtlSeconds, only, issuer, standing: 'speaker' } as const;
    return validate(`consent ${can} ${resource} ${issuer}`, expected, token, sender);
  }

  function revoke(token: string, sender: Sender = {}): Promise<Revoking> {
    const judge = async (): Promise<Validation> => {
      const decoding = decodeToken(token, parts.limits);
      if (!decoding.ok) return decoding;
      const only = { can: REVOKE, resources: new Set([decoding.token.root.issuer]), caveats: 'any' } as const;
      const expected = { audiences, ttlLimitSeconds: maxTtlSeconds, only, standing: 'owner' } as const;
      return validate(REVOKE, expected, token, sender);
    };
    return recordRevocation(sender, judge, { revocations, allowances: options.revoking, now });
  }

  const authenticate = authenticator({
    budgetOf,
    invocation,
    forOwner,
    login: (token, payer) => {
      if (allowDelegationAuth === false) return undefined;
      if (allowDelegationAuth === true) return delegationIdentity(token, payer);
      return validate('login', expectations.login, token, payer);
    },
    // Somebody else's is passed over before a key or a signature is looked at.
    delegationBy: (issuer, token, payer) =>
      validate(`identity of ${issuer}`, { ...expectations.identity, issuer }, token, payer),
  });

  return {
    invocation: (token, sender) => invocation(token, sender),
    delegation,
    delegationIdentity: (token, sender) => delegationIdentity(token, sender),
    grant,
    authorize,
    consent,
    revoke,
    isAnyRevoked: async (path) => (await revocations?.isAnyRevoked(path)) ?? false,
    request: (headers, sender = {}, actsBy) => authenticate(presentedInHeaders(headers), sender, actsBy),
    handshake: (auth, sender = {}, actsBy) => authenticate(presentedInHandshake(auth), sender, actsBy),
    forget(did) {
      cache.forget(did);
      for (const resolver of resolvers) resolver.forget(did);
    },
  };
}

/** What a verdict on a grant is remembered by; undefined when the caveats are no data. */
function grantKind({ can, with: resource, nb = {} }: Capability): string | undefined {
  try {
    return `grant ${JSON.stringify([can, resource])} ${Buffer.from(CBOR.encode(nb)).toString('base64')}`;
  } catch {
    return undefined;
  }
}
