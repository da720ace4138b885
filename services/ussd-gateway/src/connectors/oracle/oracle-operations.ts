import type { Act } from '../../engine/flow.js';
import { longestAnswers } from './phone-text.js';

/** What flows can ask of the oracle, by name. */
export const oracleActs = {
  /** Asks the `question` that was typed, in the phone's own conversation. */
  askOracle: {
    kind: 'act',
    takes: ['question'],
    results: {
      answered: { answer: longestAnswers },
      /** As many questions were asked from this phone today as may be. */
      limited: {},
      /** The oracle did not want to answer, or has to be paid first. */
      refused: {},
      /** It cannot be reached, or did not come to an end. */
      unanswered: {},
    },
  },
} as const satisfies Readonly<Record<string, Act>>;
