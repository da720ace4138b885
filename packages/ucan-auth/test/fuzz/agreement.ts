import { createUcanAuth, type Validation } from '../../src/auth.js';
import { REFUSAL_TEXTS } from '../../src/decode/refusal.js';
import { NOW, ORACLE } from '../forge.js';
import { ask, type Question } from '../question.js';
import { GUARDED } from './chain.js';
import type { FuzzCase } from './fuzz-case.js';
import { resolverOf } from './people.js';
import { type Difference, stockAnswer } from './stock-answer.js';
import { measureWork, type Work } from './work.js';

/** What one token came to. `wrong` says what must not be, if anything is. */
export interface Agreement {
  readonly wrong: string | undefined;
  readonly validation: Validation | undefined;
  readonly differences: readonly Difference[];
  readonly cost: Work & { readonly lookUps: number };
}

/**
 * The most that one token may cost, whatever it holds: 11 UCANs whose issuers here have two keys at most; 32 steps of a search, at
 * each of which ucanto looks at up to four proofs, asks for the keys of each, and makes some twenty promises. Of 60,000 tokens none
 * took more than 18, 1605 and 30; without the limit on steps it is 6000 promises soon.
 */
const MOST: Agreement['cost'] = { verifications: 22, promises: 4000, lookUps: 128 };

/**
 * Puts a token to us and, where we say yes, to ucanto. What we accept ucanto accepts too, every UCAN that it rests on was signed by
 * whom it names, an honest token is accepted by both, and nothing throws or costs more than the most there may be.
 */
export async function agreementOn({ token, question, signed, changes }: FuzzCase): Promise<Agreement> {
  let lookUps = 0;
  const auth = createUcanAuth({
    audiences: [ORACLE],
    resources: ['ixo:oracle', GUARDED],
    now: () => NOW,
    resolvers: [resolverOf(() => (lookUps += 1))],
  });
  const none = { validation: undefined, differences: [], cost: { verifications: 0, promises: 0, lookUps: 0 } };
  try {
    const { result, cost: work } = await measureWork(() => ask(auth, token, question));
    const cost = { ...work, lookUps };
    const costly = Object.entries(cost).find(([name, value]) => value > MOST[name as keyof typeof MOST]);
    if (costly !== undefined) return { ...none, cost, wrong: `it costs ${costly[1]} ${costly[0]}` };
    if (!result.ok) return { ...none, validation: result, cost, wrong: wronglyRefused(result.code, changes) };
    const forged = result.result.path.find(({ cid }) => !signed.includes(cid));
    if (forged !== undefined) return { ...none, cost, wrong: `nobody signed ${forged.cid}, on which it rests` };
    return { ...(await compared(token, question, result)), validation: result, cost };
  } catch (thrown) {
    return { ...none, wrong: `it threw ${thrown instanceof Error ? thrown.stack : String(thrown)}` };
  }
}

function wronglyRefused(code: string, changes: readonly string[]): string | undefined {
  if (!Object.hasOwn(REFUSAL_TEXTS, code)) return `an unknown code: ${code}`;
  return changes.length === 0 ? `honest, and ${code}` : undefined;
}

/** Every capability that a result lists has to be one that ucanto grants as well. */
async function compared(token: string, question: Question, { result }: Extract<Validation, { ok: true }>) {
  const questions: readonly Question[] =
    question.ask === 'delegation'
      ? result.capabilities.map((capability) => ({ ask: 'grant', capability }))
      : [question];
  const differences: Difference[] = [];
  for (const one of questions) {
    const answer = await stockAnswer(token, one);
    if (!answer.ok) return { wrong: `accepted, and by ucanto not: ${JSON.stringify(one)}`, differences };
    differences.push(...answer.differences);
  }
  return { wrong: questions.length === 0 ? 'accepted for nothing' : undefined, differences };
}
