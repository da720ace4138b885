import type { CpuLane } from './cpu-lane.js';
import { type DecodedToken, decodeToken } from './decode-token.js';
import { type DidResolver, KEYS_SECONDS, type KeyResolution } from './did-resolver.js';
import { checkExpectation, type Expectation } from './expectations.js';
import type { IssuerKeys } from './issuer-keys.js';
import type { JudgeParts } from './judge.js';
import { type JudgedToken, judgeToken } from './judge-token.js';
import type { KeyBudget } from './key-budget.js';
import type { TokenLimits } from './limits.js';
import { countProofPaths } from './proof-paths.js';
import { type RefusalCode, refusalOf } from './refusal.js';
import { refuseRevoked } from './refuse-revoked.js';
import type { RevocationStore } from './revocation-store.js';
import type { Validation } from './verdict.js';

export interface ValidationParts extends Pick<JudgeParts, 'parsers'> {
  /** Where the work is done; keys are waited for outside of it. */
  readonly lane: CpuLane;
  /** Keys of issuers that are not did:key, by DID method. */
  readonly resolvers: ReadonlyMap<string, DidResolver>;
  readonly limits: TokenLimits;
  readonly keys: IssuerKeys;
  readonly revocations: RevocationStore | undefined;
  /** Unix seconds. */
  now(): number;
}

/**
 * Decides about one token, cheapest questions first: form, what it says, whether its proofs can be searched in bounded
 * time, signatures and capabilities, revocation. Never rejects.
 */
export async function validateToken(
  text: string,
  expected: Expectation,
  parts: ValidationParts,
  budget: KeyBudget,
): Promise<Validation> {
  try {
    let freshUntil = Number.POSITIVE_INFINITY;
    const resolve = async (did: string) => {
      const resolution = await lookUp(did, parts, budget);
      if (resolution.ok) freshUntil = Math.min(freshUntil, resolution.until ?? parts.now() + KEYS_SECONDS);
      return resolution;
    };
    const judgeParts = { parsers: parts.parsers, resolve };
    // Each UCAN takes some length and one signature, so a longer text is more work.
    const judged = await parts.lane.run(() => validateUnrevoked(text, expected, parts, judgeParts), text.length);
    if (!judged.ok) return budget.explain(judged);
    const verdict = { ...judged.verdict, freshUntil };
    const revoked = parts.revocations && (await refuseRevoked(verdict, parts.revocations));
    return revoked === undefined ? { ok: true, verdict } : { ok: false, code: revoked };
  } catch (thrown) {
    return { ok: false, code: refusalOf(thrown) };
  }
}

async function lookUp(did: string, { resolvers, lane }: ValidationParts, budget: KeyBudget): Promise<KeyResolution> {
  const resolver = resolvers.get(did.split(':')[1] ?? '');
  if (resolver === undefined) return { ok: true, keys: [] };
  try {
    return await lane.outside(() => budget.spendOn((asking) => resolver.resolve(did, asking)));
  } catch {
    return { ok: false, code: 'unavailable' };
  }
}

function validateUnrevoked(
  text: string,
  expected: Expectation,
  parts: ValidationParts,
  judgeParts: JudgeParts,
): JudgedToken | Promise<JudgedToken> {
  const nowSeconds = parts.now();
  const decoding = decodeToken(text, parts.limits);
  if (!decoding.ok) return decoding;
  const { token } = decoding;
  const wrong = checkExpectation(token.root, expected, nowSeconds) ?? checkPaths(token, parts.limits);
  if (wrong !== undefined) return { ok: false, code: wrong };
  const principal = parts.keys.forOneToken(parts.limits.verifications);
  return judgeToken(token, expected, { nowSeconds, principal }, judgeParts);
}

function checkPaths({ root }: DecodedToken, limits: TokenLimits): RefusalCode | undefined {
  let paths = 0;
  for (const claim of root.capabilities) {
    paths += countProofPaths(root, claim);
    if (paths > limits.proofPaths) return 'too_complex';
  }
  return undefined;
}
