import type { DecodedToken, DecodedUcan } from './decode-token.js';
import { capabilitiesInQuestion, type Expectation } from './expectations.js';
import { type Case, type JudgeParts, judge } from './judge.js';
import { countProofPaths } from './proof-paths.js';
import type { RefusalCode } from './refusal.js';
import { ownerOf } from './resource-owner.js';
import type { Capability } from './ucan-block.js';
import type { Verdict } from './verdict.js';

export type JudgedToken =
  | { readonly ok: true; readonly verdict: Omit<Verdict, 'freshUntil'> }
  | { readonly ok: false; readonly code: RefusalCode };

/**
 * Which of a token's capabilities hold: the only one of an invocation, the one that a grant is asked of, else all that do. Where
 * none does, the token is refused.
 */
export async function judgeToken(
  token: DecodedToken,
  expected: Expectation,
  { nowSeconds, principal }: Pick<Case, 'nowSeconds' | 'principal'>,
  parts: JudgeParts,
): Promise<JudgedToken> {
  const mayBegin = beginnings(token, expected);
  const held: Held[] = [];
  let code: RefusalCode = 'not_authorized';
  for (const granted of claimsWorthTrying(token.root, expected, mayBegin)) {
    // What is asked of a grant may be less than what was granted.
    const claim = expected.grants ?? granted;
    const subject = { ucan: token.root, claim: granted, nowSeconds, principal, mayBegin: mayBegin(claim) };
    const judgement = await judge(subject, parts);
    if (judgement.ok) held.push({ claim, path: judgement.path });
    else code = judgement.code;
    // One is enough but where all are asked for; a bad signature or a missing key is so for each capability.
    if (judgement.ok ? !isAboutAll(expected) : code !== 'not_authorized') break;
  }
  return held.length > 0 ? { ok: true, verdict: verdictOf(token.root, held, expected) } : { ok: false, code };
}

interface Held {
  readonly claim: Capability;
  readonly path: readonly DecodedUcan[];
}

const isAboutAll = ({ standing, only, grants }: Expectation) =>
  standing === 'owner' && only === undefined && grants === undefined;

const CLAIMS_TRIED = 8;

type Beginnings = ReturnType<typeof beginnings>;

/** Those that the issuer may grant unasked or that a proof could grant. */
function claimsWorthTrying(root: DecodedUcan, expected: Expectation, mayBegin: Beginnings): readonly Capability[] {
  const claims = capabilitiesInQuestion(root, expected);
  const grantable = claims.filter(
    (claim) => mayBegin(expected.grants ?? claim)(root.issuer) || countProofPaths(root, claim) > 0,
  );
  return grantable.slice(0, root.proofs.length === 0 && isAboutAll(expected) ? claims.length : CLAIMS_TRIED);
}

/**
 * Who may grant what unasked: the owner of what is claimed. A chain about what is nobody's own may begin with anyone, and so may
 * one where only the speaker is in question; but only begin: an issuer that shows proofs stands on them.
 */
function beginnings(token: DecodedToken, { standing }: Expectation) {
  const begins = (did: string) => token.ucans.some(({ issuer, proofs }) => issuer === did && proofs.length === 0);
  return ({ with: resource }: Capability) => {
    const owner = ownerOf(resource);
    const isFree = owner === undefined || standing === 'speaker';
    return (issuer: string): boolean => issuer === owner || (isFree && begins(issuer));
  };
}

function verdictOf(root: DecodedUcan, held: readonly Held[], { standing, only }: Expectation) {
  const path = [...new Set(held.flatMap((one) => one.path))];
  return {
    issuer: root.issuer,
    audience: root.audience,
    cid: root.cid.toString(),
    capabilities: standing === 'owner' || only !== undefined ? held.map(({ claim }) => claim) : [],
    expiresAt: root.expiresAt,
    validUntil: Math.min(...path.map((ucan) => ucan.expiresAt)),
    path: path.map((ucan) => ({ cid: ucan.cid.toString(), issuer: ucan.issuer })),
  };
}
