import type { Effect, RunCheck } from '../../effects/effect.js';
import type { Act, Check } from '../../engine/flow.js';
import { longestAnswers } from './phone-text.js';

/** What flows can ask of the oracle, by name. */
export const oracleActs = {
  /** Asks the `question` that was typed, in the phone's own conversation. */
  askOracle: {
    kind: 'act',
    takes: ['question'],
    secretFacts: ['answer'],
    results: {
      answered: { answer: longestAnswers },
      /** As many questions were asked today as may be, from this phone or from all new phones together. */
      limited: {},
      /** The oracle did not want to answer, or has to be paid first. */
      refused: {},
      /** It cannot be reached, or did not come to an end. */
      unanswered: {},
    },
  },
  /** Takes back what the person that the phone is linked with may do. */
  unlinkPhone: { kind: 'act', results: { unlinked: {}, notLinked: {} } },
} as const satisfies Readonly<Record<string, Act>>;

/** What flows can have done with codes that link a phone with a person on the web, by name. */
export const linkChecks = {
  /** Makes a code that is typed on the web. */
  makeLinkCode: {
    kind: 'check',
    secretFacts: ['linkCode'],
    results: { made: { linkCode: ['WWWWW-WWWWW'], minutes: ['10'] }, off: {} },
  },
  /** Takes the `linkCode` that the web shows. */
  takeLinkCode: { kind: 'check', takes: ['linkCode'], results: { taken: {}, wrong: {}, locked: {}, off: {} } },
} as const satisfies Readonly<Record<string, Check>>;

const [nothingAnswers, isOff] = [async () => ({ result: 'unanswered' }), async () => ({ result: 'off' })];

/** What comes of the same where there is no oracle to ask. */
export const withoutOracle: {
  readonly acts: Readonly<Record<keyof typeof oracleActs, Effect>>;
  readonly checks: Readonly<Record<keyof typeof linkChecks, RunCheck>>;
} = {
  acts: { askOracle: nothingAnswers, unlinkPhone: async () => ({ result: 'notLinked' }) },
  checks: { makeLinkCode: isOff, takeLinkCode: isOff },
};
