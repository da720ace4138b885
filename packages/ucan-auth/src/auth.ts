import { LRUCache } from 'lru-cache';
import { DEFAULT_LIMITS, type TokenLimits } from './decode/decode-token.js';
import type { Capability } from './decode/ucan-block.js';
import type { Allowance, DidResolver, Sender } from './dids/did-resolver.js';
import type { AuthOutcome, Caller } from './http/auth-outcome.js';
import {
  authenticator,
  credentialsInHandshake,
  credentialsInHeaders,
  type RequestHeaders,
} from './http/authenticate.js';
import { type Policy, policiesOf } from './policy/policies.js';
import {
  checkRevocations,
  type RevocationAllowances,
  type RevocationResult,
  recordRevocation,
} from './stores/revocations.js';
import type { ReplayStore, RevocationStore } from './stores/token-stores.js';
import { CpuQueue } from './verify/cpu-queue.js';
import { cacheKey, ResultCache, type Validation } from './verify/result.js';
import { IssuerKeys } from './verify/signature-checks.js';
import { claimParser } from './verify/verify-chain.js';
import { KeyBudget, type VerificationParts, verifyToken } from './verify/verify-token.js';

export type { RefusalCode } from './decode/refusal.js';
export type { Capability } from './decode/ucan-block.js';
export type { Allowance, DidResolver, KeyResolution, Sender, Taken } from './dids/did-resolver.js';
export type { AuthFailure, AuthOutcome, Caller, CallerDelegation } from './http/auth-outcome.js';
export type { RequestHeaders } from './http/authenticate.js';
export type { RevocationAllowances, RevocationResult } from './stores/revocations.js';
export type { Validation, VerifiedToken } from './verify/result.js';

/** Short, so that a request that needs several slices is delayed little by other tasks. */
const CPU_SLICE = { sliceMs: 1, sliceTasks: 8 };
const CACHED_PARSERS = 100;
const KEYS_TIMEOUT_MS = 1900;

export interface UcanAuthOptions {
  /** DIDs of this service; tokens must be addressed to one of them. */
  readonly audiences: readonly string[];
  /** Resources that an invocation may name. Default `ixo:oracle`. */
  readonly resources?: readonly string[];
  /** How far ahead an invocation's expiry may be, in seconds. Default 900. */
  readonly maxTtlSeconds?: number;
  /** The same for delegations. Default 366 days. */
  readonly maxDelegationTtlSeconds?: number;
  /**
   * Whether a delegation without an invocation authenticates its issuer: always; `covering`, if one of its capabilities covers
   * one of `resources` or `audiences`; or never. Any holder of a delegation as a proof can send it. Default true.
   */
  readonly allowDelegationAuth?: boolean | 'covering';
  /** Resolvers of issuers that are not did:key; other methods are refused. Default none. */
  readonly resolvers?: readonly DidResolver[];
  /** Time for all key lookups of one request; then it is `unavailable`. Default 1900. */
  readonly keysTimeoutMs?: number;
  /** Limit of key lookups per address and period. Default: unlimited. */
  readonly lookUps?: Allowance;
  /** Limits of revocation requests per period. Default: unlimited. */
  readonly revoking?: RevocationAllowances;
  readonly revocations?: RevocationStore;
  /** Needed by `authorize` with `singleUse`. */
  readonly replays?: ReplayStore;
  readonly limits?: Partial<TokenLimits>;
  /** Cached results, and cached keys. Default 10,000 each. */
  readonly cacheEntries?: number;
  /** Tokens that may wait for verification; beyond it the longest are `unavailable`. Default 1000. */
  readonly waitingLimit?: number;
  /** Unix seconds. Default: the system clock. */
  readonly now?: () => number;
}

/** No method but `isAnyRevoked` rejects. Key lookups are counted for the `address` of the `sender`. */
export interface UcanAuth {
  /** Verifies an invocation by which its issuer may use this service. */
  invocation(token: string, sender?: Sender): Promise<Validation>;
  /** Verifies a delegation to this service. The result lists the capabilities that its issuer may grant. */
  delegation(token: string, sender?: Sender): Promise<Validation>;
  /** Verifies the issuer of a delegation to this service, but not its capabilities. */
  delegationIdentity(token: string, sender?: Sender): Promise<Validation>;
  /** Verifies that a delegation grants `capability` to this service. Path and `validUntil` are those of that grant. */
  grant(token: string, capability: Capability, sender?: Sender): Promise<Validation>;
  /** Verifies an invocation of `ability` on `resource`, with a proof chain from the resource's owner. */
  authorize(
    token: string,
    ability: string,
    resource: string,
    options?: Sender & { readonly singleUse?: boolean },
  ): Promise<Validation>;
  /** Verifies that a token is an invocation of `capability` by `issuer`, which need not own the resource. */
  consent(token: string, issuer: string, capability: Capability, sender?: Sender): Promise<Validation>;
  /**
   * Stores the revocation in a token of `mintRevocation`. `unavailable` without a revocation store or if the store fails, `no_room` if
   * the issuer's quota is reached.
   */
  revoke(token: string, sender?: Sender): Promise<RevocationResult>;
  /**
   * Whether a UCAN on a path was revoked by one of its issuers, for work that continues after authentication, such as a socket. False
   * without a revocation store; rejects if the store is unavailable.
   */
  isAnyRevoked(path: Caller['path']): Promise<boolean>;
  /**
   * Authenticates a request by its headers. With `onBehalfAbility` it also accepts an invocation of that ability on a DID, with a proof
   * chain from that DID: then the DID is the caller, and the issuer is its `actor`.
   */
  request(headers: RequestHeaders, sender?: Sender, onBehalfAbility?: string): Promise<AuthOutcome>;
  /** Authenticates a WebSocket handshake by its `auth` object, `{ invocation?, ucanDelegation? }`. */
  handshake(auth: unknown, sender?: Sender, onBehalfAbility?: string): Promise<AuthOutcome>;
  /** Drops the cached keys of a DID and each cached result with its signature. */
  forget(did: string): void;
}

/** Token authentication of one service. Holds the caches; opens no connection. */
export function createUcanAuth(options: UcanAuthOptions): UcanAuth {
  const { maxTtlSeconds = 900, maxDelegationTtlSeconds = 31_622_400, allowDelegationAuth = true } = options;
  const { resolvers = [], keysTimeoutMs = KEYS_TIMEOUT_MS, lookUps, revocations, replays } = options;
  const { cacheEntries = 10_000, waitingLimit = 1000 } = options;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const policies = policiesOf({
    audiences: new Set(options.audiences),
    resources: new Set(options.resources ?? ['ixo:oracle']),
    maxTtlSeconds,
    maxDelegationTtlSeconds,
  });
  const cache = new ResultCache(cacheEntries);
  const parts: VerificationParts = {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    keys: new IssuerKeys(cacheEntries),
    parsers: new LRUCache({ max: CACHED_PARSERS, memoMethod: claimParser }),
    queue: new CpuQueue({ ...CPU_SLICE, waitingLimit }),
    resolvers: new Map(resolvers.map((resolver) => [resolver.method, resolver])),
    now,
  };

  const budgetOf = (sender: Sender = {}) =>
    new KeyBudget({ timeoutMs: keysTimeoutMs, address: sender.address, lookUps });

  async function verify({ name, requirements }: Policy, token: string, budget: KeyBudget): Promise<Validation> {
    if (token.length > parts.limits.characters) return { ok: false, code: 'too_large' };
    const key = cacheKey(name, token);
    const validation = await cache.getOrVerify(key, now(), () => verifyToken(token, requirements, parts, budget));
    if (!validation.ok || revocations === undefined) return validation;
    const code = await checkRevocations(validation.result, revocations);
    if (code === undefined) return validation;
    cache.drop(key);
    return { ok: false, code };
  }

  async function authorize(
    token: string,
    ability: string,
    resource: string,
    use: Sender & { readonly singleUse?: boolean } = {},
  ): Promise<Validation> {
    const validation = await verify(policies.authorize(ability, resource), token, budgetOf(use));
    if (!validation.ok || use.singleUse !== true) return validation;
    if (replays === undefined) return { ok: false, code: 'unavailable' };
    try {
      const isFirst = await replays.claim(validation.result.cid, validation.result.expiresAt);
      return isFirst ? validation : { ok: false, code: 'replayed' };
    } catch {
      return { ok: false, code: 'unavailable' };
    }
  }

  const authenticate = authenticator({
    invocation: (token, budget) => verify(policies.invocation, token, budget),
    onBehalf: (token, ability, budget) => verify(policies.onBehalf(ability), token, budget),
    login: (token, budget) => {
      if (allowDelegationAuth === false) return undefined;
      return verify(allowDelegationAuth === true ? policies.identity : policies.login, token, budget);
    },
    // A delegation of another issuer is refused before its keys and signatures are checked.
    delegationBy: (issuer, token, budget) => verify(policies.identityOf(issuer), token, budget),
  });

  return {
    invocation: (token, sender) => verify(policies.invocation, token, budgetOf(sender)),
    delegation: (token, sender) => verify(policies.delegation, token, budgetOf(sender)),
    delegationIdentity: (token, sender) => verify(policies.identity, token, budgetOf(sender)),
    async grant(token, capability, sender) {
      const policy = policies.grant(capability);
      return policy === undefined ? { ok: false, code: 'wrong_capability' } : verify(policy, token, budgetOf(sender));
    },
    authorize,
    consent: (token, issuer, capability, sender) =>
      verify(policies.consent(issuer, capability), token, budgetOf(sender)),
    revoke: (token, sender = {}) => {
      const recording = { revocations, allowances: options.revoking, now };
      return recordRevocation(sender, () => verify(policies.revoke, token, budgetOf(sender)), recording);
    },
    isAnyRevoked: async (path) => (await revocations?.isAnyRevoked(path)) ?? false,
    request: (headers, sender, onBehalfAbility) =>
      authenticate(credentialsInHeaders(headers), budgetOf(sender), onBehalfAbility),
    handshake: (auth, sender, onBehalfAbility) =>
      authenticate(credentialsInHandshake(auth), budgetOf(sender), onBehalfAbility),
    forget(did) {
      cache.forget(did);
      for (const resolver of resolvers) resolver.forget(did);
    },
  };
}
