import type { Logger } from '@mlango/service-kit/logging';
import type { HopEffects } from '../sessions/hop-effects.js';
import { type Accounts, accountEffects } from './account-effects.js';

/** A dial waits no longer than this for the subscriber's language. */
const languageLimitMs = 300;

/** After a failure dials do not ask again for so long, and are served in the default language at once. */
const pauseMs = 3000;

/** The effects of the default dialogue on accounts. */
export function accountHopEffects(accounts: Accounts & { clock: () => number; logger: Logger }): HopEffects {
  const { store, clock, logger } = accounts;
  const effects = new Map(Object.entries(accountEffects(accounts)));
  let askAgainAtMs = Number.NEGATIVE_INFINITY;
  return {
    run: async (request) => {
      const effect = effects.get(request.effect);
      if (effect === undefined) throw new Error(`there is no effect "${request.effect}"`);
      return effect(request);
    },
    languageOf: async (phoneNumber) => {
      if (clock() < askAgainAtMs) return undefined;
      try {
        return await within(languageLimitMs, store.findLanguage(phoneNumber));
      } catch (error) {
        askAgainAtMs = clock() + pauseMs;
        logger.warn({ err: error }, 'languages of subscribers are not known now: dials get the default');
        return undefined;
      }
    },
  };
}

async function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  // A late failure has nobody left to hear it.
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
