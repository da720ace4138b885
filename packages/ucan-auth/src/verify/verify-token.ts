import { within } from '@mlango/async/within';
import { type DecodedToken, decodeToken, type TokenLimits } from '../decode/decode-token.js';
import { type RefusalCode, refusalOf } from '../decode/refusal.js';
import {
  type Allowance,
  type DidResolver,
  KEYS_SECONDS,
  type KeyLookup,
  type KeyResolution,
  type Sender,
} from '../dids/did-resolver.js';
import { countProofPaths } from '../policy/capabilities.js';
import { checkRequirements, type Requirements } from '../policy/requirements.js';
import type { CpuQueue } from './cpu-queue.js';
import type { Validation } from './result.js';
import type { IssuerKeys } from './signature-checks.js';
import { type ChainOptions, type ChainResult, type ClaimParsers, verifyCapabilities } from './verify-chain.js';

export interface VerificationParts {
  /** Runs the CPU work; key lookups do not occupy it. */
  readonly queue: CpuQueue;
  /** Resolvers of issuers that are not did:key, by DID method. */
  readonly resolvers: ReadonlyMap<string, DidResolver>;
  readonly limits: TokenLimits;
  readonly keys: IssuerKeys;
  readonly parsers: ClaimParsers;
  /** Unix seconds. */
  now(): number;
}

/**
 * Verifies one token, cheapest checks first: form, requirements, cost of the proof search, then signatures and capabilities. The caller
 * checks revocations. Never rejects.
 */
export async function verifyToken(
  text: string,
  requirements: Requirements,
  parts: VerificationParts,
  budget: KeyBudget,
): Promise<Validation> {
  let freshUntil = Number.POSITIVE_INFINITY;
  const resolve = async (did: string) => {
    const resolution = await lookUpKeys(did, parts, budget);
    if (resolution.ok) freshUntil = Math.min(freshUntil, resolution.until ?? parts.now() + KEYS_SECONDS);
    return resolution;
  };
  try {
    // A longer text has more UCANs, each with a signature, so it is more work.
    const verified = await parts.queue.run(() => verifyContent(text, requirements, parts, resolve), text.length);
    return verified.ok ? { ok: true, result: { ...verified.result, freshUntil } } : budget.withRateLimit(verified);
  } catch (thrown) {
    return { ok: false, code: refusalOf(thrown) };
  }
}

async function lookUpKeys(
  did: string,
  { resolvers, queue }: VerificationParts,
  budget: KeyBudget,
): Promise<KeyResolution> {
  const resolver = resolvers.get(did.split(':')[1] ?? '');
  if (resolver === undefined) return { ok: true, keys: [] };
  try {
    return await queue.releaseWhile(() => budget.spendOn((lookup) => resolver.resolve(did, lookup)));
  } catch {
    return UNAVAILABLE;
  }
}

function verifyContent(
  text: string,
  requirements: Requirements,
  parts: VerificationParts,
  resolve: ChainOptions['resolve'],
): ChainResult | Promise<ChainResult> {
  const nowSeconds = parts.now();
  const decoding = decodeToken(text, parts.limits);
  if (!decoding.ok) return decoding;
  const { token } = decoding;
  const code = checkRequirements(token.root, requirements, nowSeconds) ?? checkProofPaths(token, parts.limits);
  if (code !== undefined) return { ok: false, code };
  const principal = parts.keys.forOneToken(parts.limits.verifications);
  return verifyCapabilities(token, requirements, { nowSeconds, principal, parsers: parts.parsers, resolve });
}

function checkProofPaths({ root }: DecodedToken, limits: TokenLimits): RefusalCode | undefined {
  let paths = 0;
  for (const claim of root.capabilities) {
    paths += countProofPaths(root, claim);
    if (paths > limits.proofPaths) return 'too_complex';
  }
  return undefined;
}

export interface KeyBudgetOptions extends Sender {
  /** Time for all key lookups of a request, in milliseconds. */
  readonly timeoutMs: number;
  /** Allowance of the sender's address. Default: unlimited. */
  readonly lookUps?: Allowance | undefined;
}

/** Bounds the key lookups of one request: their time together, and the allowance of the sender's address. */
export class KeyBudget {
  readonly #endMs: number;
  readonly #lookup: KeyLookup;
  #retryAfterSeconds: number | undefined;

  constructor({ timeoutMs, address, lookUps }: KeyBudgetOptions) {
    this.#endMs = performance.now() + timeoutMs;
    const isLimited = lookUps !== undefined && address !== undefined;
    this.#lookup = isLimited ? { address, takeAllowance: () => lookUps.take(address) } : { address };
  }

  /** The result of a lookup, or `unavailable` at the time limit. The lookup itself continues, and its result is cached. */
  async spendOn(lookUp: (lookup: KeyLookup) => Promise<KeyResolution>): Promise<KeyResolution> {
    const leftMs = this.#endMs - performance.now();
    if (leftMs <= 0) return UNAVAILABLE;
    const resolution = await within(leftMs, 'key lookup', lookUp(this.#lookup)).catch((): KeyResolution => UNAVAILABLE);
    if (!resolution.ok && resolution.code === 'rate_limited') this.#retryAfterSeconds = resolution.retryAfterSeconds;
    return resolution;
  }

  /** Replaces `unavailable` by `rate_limited` if a lookup of this request exceeded the allowance. */
  withRateLimit(refused: Extract<Validation, { readonly ok: false }>): Validation {
    const retryAfterSeconds = this.#retryAfterSeconds;
    if (refused.code !== 'unavailable' || retryAfterSeconds === undefined) return refused;
    return { ok: false, code: 'rate_limited', retryAfterSeconds };
  }
}

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;
