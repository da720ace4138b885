import type { RunCheck, RunEffect } from '../../effects/effect.js';
import type { Act, Check } from '../../engine/flow.js';
import { longestAnswers } from './phone-text.js';

/** Acts of the oracle available to flows, by name. */
export const oracleActs = {
  /** Sends the typed `question` in the phone's own conversation. */
  askOracle: {
    kind: 'act',
    takes: ['question'],
    secretFacts: ['answer'],
    results: {
      answered: { answer: longestAnswers },
      /** The daily limit of this phone, or of all new phones together, is reached. */
      limited: {},
      /** The oracle refused to answer, or requires a payment. */
      refused: {},
      /** The oracle is unreachable or did not finish. */
      unanswered: {},
    },
  },
  /** Revokes the permissions of the person linked with the phone. */
  unlinkPhone: { kind: 'act', results: { unlinked: {}, notLinked: {} } },
} as const satisfies Readonly<Record<string, Act>>;

/** Checks of the codes that link a phone with a person on the web, by name. */
export const linkChecks = {
  /** Creates a code that is typed on the web. */
  makeLinkCode: {
    kind: 'check',
    secretFacts: ['linkCode'],
    results: { made: { linkCode: ['WWWWW-WWWWW'], minutes: ['10'] }, off: {} },
  },
  /** Redeems the `linkCode` shown on the web. */
  takeLinkCode: { kind: 'check', takes: ['linkCode'], results: { taken: {}, wrong: {}, locked: {}, off: {} } },
} as const satisfies Readonly<Record<string, Check>>;

const [nothingAnswers, isOff] = [async () => ({ result: 'unanswered' }), async () => ({ result: 'off' })];

/** Results without a configured oracle. */
export const withoutOracle: {
  readonly effects: Readonly<Record<keyof typeof oracleActs, RunEffect>>;
  readonly checks: Readonly<Record<keyof typeof linkChecks, RunCheck>>;
} = {
  effects: { askOracle: nothingAnswers, unlinkPhone: async () => ({ result: 'notLinked' }) },
  checks: { makeLinkCode: isOff, takeLinkCode: isOff },
};
