import type { Logger } from '@mlango/service-kit/logging';
import { within } from '@mlango/service-kit/within';
import type { HopEffects } from '../sessions/hop-effects.js';
import { type Accounts, accountEffects } from './account-effects.js';
import { gatherLookUps } from './gather-lookups.js';
import type { KnownLanguages } from './known-languages.js';

/** A look-up of languages may take so long; a dial waits for one that is under way and for its own. */
const languageLimitMs = 150;

/** Most phones of one look-up. */
const phonesAtOnce = 500;

/** After a failure dials do not ask again for so long, and are served in the default language at once. */
const pauseMs = 3000;

export interface AccountHopOptions extends Accounts {
  readonly clock: () => number;
  readonly logger: Logger;
  /** The choices this process knows; without them each dial asks the store. */
  readonly known?: KnownLanguages;
}

/** The effects of the default dialogue on accounts. */
export function accountHopEffects(accounts: AccountHopOptions): HopEffects {
  const { store, clock, logger, known } = accounts;
  const effects = new Map(Object.entries(accountEffects(accounts)));
  const languageOf = gatherLookUps(
    (phones: readonly string[]) => within(languageLimitMs, 'the look-up of languages', store.findLanguages(phones)),
    phonesAtOnce,
  );
  let askAgainAtMs = Number.NEGATIVE_INFINITY;
  return {
    run: async (request) => {
      const effect = effects.get(request.effect);
      if (effect === undefined) throw new Error(`there is no effect "${request.effect}"`);
      const outcome = await effect(request);
      if (outcome.language !== undefined) known?.learn(request.phoneNumber, outcome.language);
      return outcome;
    },
    languageOf: async (phoneNumber) => {
      if (known?.isCurrent === true) return known.of(phoneNumber);
      if (clock() < askAgainAtMs) return undefined;
      try {
        return await languageOf(phoneNumber);
      } catch (error) {
        // All who asked together hear of it; one of them says it.
        if (clock() >= askAgainAtMs) {
          logger.warn({ err: error }, 'languages of subscribers are not known now: dials get the default');
        }
        askAgainAtMs = clock() + pauseMs;
        return undefined;
      }
    },
  };
}
