import { LRUCache } from 'lru-cache';
import type { Sender } from './allowance.js';
import { authenticator } from './authenticate.js';
import { CpuLane } from './cpu-lane.js';
import { decodeToken } from './decode-token.js';
import { IssuerKeys } from './issuer-keys.js';
import { KeyBudget } from './key-budget.js';
import { DEFAULT_LIMITS } from './limits.js';
import { presentedInHandshake, presentedInHeaders } from './presented.js';
import { type Question, questionsOf } from './questions.js';
import { recordRevocation } from './record-revocation.js';
import { refuseRevoked } from './refuse-revoked.js';
import { ownerOf } from './resource-owner.js';
import type { UcanAuth, UcanAuthOptions } from './ucan-auth.js';
import { type ValidationParts, validateToken } from './validate-token.js';
import type { Validation, Verdict } from './verdict.js';
import { cacheKey, VerdictCache } from './verdict-cache.js';

export type { Allowance, Sender, Taken } from './allowance.js';
export type { AuthFailure, AuthOutcome, Caller, PresentedDelegation } from './auth-outcome.js';
export type { DidResolver, KeyResolution } from './did-resolver.js';
export type { RequestHeaders } from './presented.js';
export type { Revoking, RevokingAllowances } from './record-revocation.js';
export type { RefusalCode } from './refusal.js';
export type { UcanAuth, UcanAuthOptions } from './ucan-auth.js';
export type { Capability } from './ucan-block.js';
export type { Validation, Verdict } from './verdict.js';

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
  const questions = questionsOf({
    audiences: new Set(options.audiences),
    resources: new Set(options.resources ?? ['ixo:oracle']),
    ...{ maxTtlSeconds, maxDelegationTtlSeconds },
  });
  const cache = new VerdictCache(cacheEntries);
  const lane = new CpuLane({ ...CPU_SLICE, waitingLimit });
  const parts: ValidationParts = {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    revocations,
    keys: new IssuerKeys(cacheEntries),
    parsers: new LRUCache({ max: PARSERS_KEPT }),
    lane,
    resolvers: new Map(resolvers.map((resolver) => [resolver.method, resolver])),
    now,
  };

  const budgetOf = (sender: Sender) => new KeyBudget({ timeoutMs: keysTimeoutMs, address: sender.address, lookUps });

  async function validate(
    { name, expected }: Question,
    token: string,
    payer: Sender | KeyBudget = {},
  ): Promise<Validation> {
    if (token.length > parts.limits.characters) return { ok: false, code: 'too_large' };
    const key = cacheKey(name, token);
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

  async function authorize(
    token: string,
    ability: string,
    resource: string,
    use: Sender & { readonly singleUse?: boolean } = {},
  ): Promise<Validation> {
    const validation = await validate(questions.authorize(ability, resource), token, use);
    if (!validation.ok || use.singleUse !== true) return validation;
    if (replays === undefined) return { ok: false, code: 'unavailable' };
    try {
      const first = await replays.claim(validation.verdict.cid, validation.verdict.expiresAt);
      return first ? validation : { ok: false, code: 'replayed' };
    } catch {
      return { ok: false, code: 'unavailable' };
    }
  }

  /** Whose token it is, and on what, is in the token. */
  async function forOwner(token: string, ability: string, payer: KeyBudget): Promise<Validation> {
    const decoding = decodeToken(token, parts.limits);
    if (!decoding.ok) return decoding;
    const owner = decoding.token.root.capabilities[0]?.with ?? '';
    if (ownerOf(owner) !== owner) return { ok: false, code: 'wrong_resource' };
    return validate(questions.forOwner(ability, owner), token, payer);
  }

  async function revocation(token: string, sender: Sender): Promise<Validation> {
    const decoding = decodeToken(token, parts.limits);
    if (!decoding.ok) return decoding;
    return validate(questions.revoke(decoding.token.root.issuer), token, sender);
  }

  const authenticate = authenticator({
    budgetOf,
    invocation: (token, payer) => validate(questions.invocation, token, payer),
    forOwner,
    login: (token, payer) => {
      if (allowDelegationAuth === false) return undefined;
      return validate(allowDelegationAuth === true ? questions.identity : questions.login, token, payer);
    },
    // Somebody else's is passed over before a key or a signature is looked at.
    delegationBy: (issuer, token, payer) => validate(questions.identityOf(issuer), token, payer),
  });

  return {
    invocation: (token, sender) => validate(questions.invocation, token, sender),
    delegation: (token, sender) => validate(questions.delegation, token, sender),
    delegationIdentity: (token, sender) => validate(questions.identity, token, sender),
    async grant(token, capability, sender) {
      const question = questions.grant(capability);
      return question === undefined ? { ok: false, code: 'wrong_capability' } : validate(question, token, sender);
    },
    authorize,
    consent: (token, issuer, capability, sender) => validate(questions.consent(issuer, capability), token, sender),
    revoke: (token, sender = {}) =>
      recordRevocation(sender, () => revocation(token, sender), { revocations, allowances: options.revoking, now }),
    isAnyRevoked: async (path) => (await revocations?.isAnyRevoked(path)) ?? false,
    request: (headers, sender = {}, actsBy) => authenticate(presentedInHeaders(headers), sender, actsBy),
    handshake: (auth, sender = {}, actsBy) => authenticate(presentedInHandshake(auth), sender, actsBy),
    forget(did) {
      cache.forget(did);
      for (const resolver of resolvers) resolver.forget(did);
    },
  };
}
