import type { CpuLane } from './cpu-lane.js';
import { type DecodedToken, type DecodedUcan, decodeToken } from './decode-token.js';
import type { DidResolver, KeyResolution } from './did-resolver.js';
import { capabilitiesInQuestion, checkExpectation, type Expectation } from './expectations.js';
import type { IssuerKeys } from './issuer-keys.js';
import { type JudgeParts, judge } from './judge.js';
import type { KeyBudget } from './key-budget.js';
import type { TokenLimits } from './limits.js';
import { countProofPaths } from './proof-paths.js';
import { type RefusalCode, refusalOf } from './refusal.js';
import { coversResource } from './resource-matching.js';
import type { RevocationStore } from './revocation-store.js';
import type { Capability } from './ucan-block.js';
import type { Validation, Verdict } from './verdict.js';

export interface ValidationParts extends Pick<JudgeParts, 'parsers'> {
  /** Where the work is done; keys are waited for outside of it. */
  readonly lane: CpuLane;
  /** Keys of issuers that are not did:key, by DID method. */
  readonly resolvers: ReadonlyMap<string, DidResolver>;
  readonly limits: TokenLimits;
  readonly keys: IssuerKeys;
  readonly revocations: RevocationStore | undefined;
  /** Resources that belong to every user, each for himself. */
  readonly sharedResources: ReadonlySet<string>;
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
    const judgeParts = { parsers: parts.parsers, resolve: (did: string) => lookUp(did, parts, budget) };
    // Each UCAN takes some length and one signature, so a longer text is more work.
    const validation = await parts.lane.run(() => validateUnrevoked(text, expected, parts, judgeParts), text.length);
    if (!validation.ok) return budget.explain(validation);
    const revoked = await checkRevoked(validation.verdict, parts.revocations);
    return revoked === undefined ? validation : { ok: false, code: revoked };
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

async function validateUnrevoked(
  text: string,
  expected: Expectation,
  parts: ValidationParts,
  judgeParts: JudgeParts,
): Promise<Validation> {
  const nowSeconds = parts.now();
  const decoding = decodeToken(text, parts.limits);
  if (!decoding.ok) return decoding;
  const { token } = decoding;
  const wrong = checkExpectation(token.root, expected, nowSeconds) ?? checkPaths(token, parts.limits);
  if (wrong !== undefined) return { ok: false, code: wrong };
  const judgement = await judgeToken(token, expected, nowSeconds, parts, judgeParts);
  return judgement.ok ? { ok: true, verdict: verdictOf(token.root, judgement.path) } : judgement;
}

/** Whether a UCAN on the path is revoked; `unavailable` when that cannot be known. Never rejects. */
export async function checkRevoked(
  verdict: Verdict,
  revocations: RevocationStore | undefined,
): Promise<RefusalCode | undefined> {
  if (revocations === undefined) return undefined;
  try {
    return (await revocations.isAnyRevoked(verdict.path)) ? 'revoked' : undefined;
  } catch {
    return 'unavailable';
  }
}

function checkPaths({ root }: DecodedToken, limits: TokenLimits): RefusalCode | undefined {
  let paths = 0;
  for (const claim of root.capabilities) {
    paths += countProofPaths(root, claim);
    if (paths > limits.proofPaths) return 'too_complex';
  }
  return undefined;
}

/** One of the token's capabilities must hold: the only one of an invocation, any one of a delegation. */
async function judgeToken(
  token: DecodedToken,
  expected: Expectation,
  nowSeconds: number,
  parts: ValidationParts,
  judgeParts: JudgeParts,
) {
  const principal = parts.keys.forOneToken();
  const ownsResource = ownership(token, expected, parts.sharedResources);
  let code: RefusalCode = 'not_authorized';
  for (const claim of claimsWorthTrying(token.root, capabilitiesInQuestion(token.root, expected))) {
    const judgement = await judge({ ucan: token.root, claim, nowSeconds, principal, ownsResource }, judgeParts);
    if (judgement.ok) return judgement;
    code = judgement.code;
    // A bad signature or a missing key is so for each capability.
    if (code !== 'not_authorized') break;
  }
  return { ok: false as const, code };
}

const CLAIMS_TRIED = 8;

/** Without proofs all capabilities stand alike; with proofs, those that a proof could grant. */
function claimsWorthTrying(root: DecodedUcan, claims: readonly Capability[]): readonly Capability[] {
  if (root.proofs.length === 0) return claims.slice(0, 1);
  const grantable = claims.filter((claim) => isOwn(root.issuer, claim.with) || countProofPaths(root, claim) > 0);
  return grantable.slice(0, CLAIMS_TRIED);
}

function isOwn(issuer: string, resource: string): boolean {
  return resource === issuer || coversResource(`${issuer}/*`, resource);
}

/**
 * Who may grant what unasked. A DID owns itself and what lies under it. A chain may begin with anyone's grant of a shared
 * resource, and, where only the speaker's identity is in question, of any resource, or of the very one that a speaker is
 * asked about; but only begin: an issuer that shows proofs stands on them.
 */
function ownership(token: DecodedToken, expected: Expectation, shared: ReadonlySet<string>) {
  const beginners = new Set(token.ucans.filter((ucan) => ucan.proofs.length === 0).map((ucan) => ucan.issuer));
  return (issuer: string, resource: string): boolean => {
    if (isOwn(issuer, resource)) return true;
    if (!beginners.has(issuer)) return false;
    if (issuer === expected.issuer && expected.only?.resources.has(resource) === true) return true;
    return expected.only === undefined || [...shared].some((name) => coversResource(resource, name));
  };
}

function verdictOf(root: DecodedUcan, path: readonly DecodedUcan[]): Verdict {
  return {
    issuer: root.issuer,
    audience: root.audience,
    cid: root.cid.toString(),
    capabilities: root.capabilities,
    expiresAt: root.expiresAt,
    validUntil: Math.min(...path.map((ucan) => ucan.expiresAt)),
    path: path.map((ucan) => ({ cid: ucan.cid.toString(), issuer: ucan.issuer })),
  };
}
