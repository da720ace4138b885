import type { Check, Effect } from '../../effects/effect.js';
import type { linkChecks, oracleActs } from './oracle-operations.js';

const [nothingAnswers, isOff] = [async () => ({ result: 'unanswered' }), async () => ({ result: 'off' })];

/** What comes of the same where there is no oracle to ask. */
export const withoutOracle: {
  readonly acts: Readonly<Record<keyof typeof oracleActs, Effect>>;
  readonly checks: Readonly<Record<keyof typeof linkChecks, Check>>;
} = {
  acts: { askOracle: nothingAnswers, unlinkPhone: async () => ({ result: 'notLinked' }) },
  checks: { makeLinkCode: isOff, takeLinkCode: isOff },
};
