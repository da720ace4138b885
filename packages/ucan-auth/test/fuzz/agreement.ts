import { createUcanAuth, type Validation } from '../../src/auth.js';
import { REFUSAL_TEXTS } from '../../src/decode/refusal.js';
import { NOW, ORACLE } from '../forge.js';
import { type TokenUse, verifyFor } from '../token-use.js';
import { GUARDED } from './chain.js';
import type { FuzzCase } from './fuzz-case.js';
import { resolverOf } from './principals.js';
import { type Difference, ucantoAnswer } from './ucanto-answer.js';
import { measureWork, type Work } from './work.js';

/** Result for one token. `wrong` is the violated rule, if any. */
export interface Agreement {
  readonly wrong: string | undefined;
  readonly validation: Validation | undefined;
  readonly differences: readonly Difference[];
  readonly cost: Work & { readonly lookUps: number };
}

/**
 * Upper bounds of the cost of one token: 11 UCANs with at most two keys per issuer here; 32 steps of a search, at each of which ucanto
 * reads up to four proofs, looks up the keys of each, and creates some twenty promises. The maxima of 60,000 tokens were 18, 1605 and 30;
 * without the limit of steps 6000 promises are common.
 */
const MOST: Agreement['cost'] = { verifications: 22, promises: 4000, lookUps: 128 };

/**
 * Verifies a token with this package and, if it is accepted, with ucanto. Checks: ucanto accepts it too, every UCAN on its path
 * was signed by its issuer, a valid token is accepted by both, nothing throws, and the cost is bounded.
 */
export async function agreementOn({ token, question, signed, changes }: FuzzCase): Promise<Agreement> {
  let lookUps = 0;
  const auth = createUcanAuth({
    audiences: [ORACLE],
    // A cache allocates all of its entries when it is created; small ones keep the fuzz run fast.
    cacheEntries: 100,
    resources: ['ixo:oracle', GUARDED],
    now: () => NOW,
    resolvers: [resolverOf(() => (lookUps += 1))],
  });
  const none = { validation: undefined, differences: [], cost: { verifications: 0, promises: 0, lookUps: 0 } };
  try {
    const { result, cost: work } = await measureWork(() => verifyFor(auth, token, question));
    const cost = { ...work, lookUps };
    const costly = Object.entries(cost).find(([name, value]) => value > MOST[name as keyof typeof MOST]);
    if (costly !== undefined) return { ...none, cost, wrong: `it costs ${costly[1]} ${costly[0]}` };
    if (!result.ok) return { ...none, validation: result, cost, wrong: wronglyRefused(result.code, changes) };
    const forged = result.result.path.find(({ cid }) => !signed.includes(cid));
    if (forged !== undefined) return { ...none, cost, wrong: `unsigned UCAN on the path: ${forged.cid}` };
    return { ...(await compared(token, question, result)), validation: result, cost };
  } catch (thrown) {
    return { ...none, wrong: `it threw ${thrown instanceof Error ? thrown.stack : String(thrown)}` };
  }
}

function wronglyRefused(code: string, changes: readonly string[]): string | undefined {
  if (!Object.hasOwn(REFUSAL_TEXTS, code)) return `an unknown code: ${code}`;
  return changes.length === 0 ? `honest, and ${code}` : undefined;
}

/** ucanto must grant every listed capability too. */
async function compared(token: string, question: TokenUse, { result }: Extract<Validation, { ok: true }>) {
  const questions: readonly TokenUse[] =
    question.ask === 'delegation'
      ? result.capabilities.map((capability) => ({ ask: 'grant', capability }))
      : [question];
  const differences: Difference[] = [];
  for (const one of questions) {
    const answer = await ucantoAnswer(token, one);
    if (!answer.ok) return { wrong: `accepted, and by ucanto not: ${JSON.stringify(one)}`, differences };
    differences.push(...answer.differences);
  }
  return { wrong: questions.length === 0 ? 'accepted for nothing' : undefined, differences };
}
