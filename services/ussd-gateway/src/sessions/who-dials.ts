import type { Logger } from '@mlango/service-kit/logging';
import { within } from '@mlango/service-kit/within';
import type { Subscriber } from '../effects/intent.js';
import type { KnownIntent } from '../effects/intent-store.js';

/** What is known of a subscriber whose session begins. */
export interface Dialler {
  /** The language they chose. */
  readonly language?: string | undefined;
  /** What they asked for and were not told the outcome of. */
  readonly untold?: KnownIntent | undefined;
}

/**
 * Of what they asked for, the latest that they were not told of, by this aggregator and service code: under way, or ended with an outcome.
 * It is forgotten so long (`withinMs` of the adapter) after its end, or after its begin where it has none. Rejects when nobody can say.
 */
export type WhoDials = (subscriber: Subscriber) => Promise<Dialler>;

export interface DiallerSources {
  readonly find: WhoDials;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
  readonly logger: Logger;
}

/** A dial waits so long for what the database knows of its subscriber. */
const limitMs = 400;

/** After a failure dials do not ask again for so long, and are served in the default language at once. */
const pauseMs = 3000;

/** Soon, and without a rejection: nothing when nobody can say. */
export function whoDials({ find, clock, logger }: DiallerSources): WhoDials {
  let askAgainAtMs = Number.NEGATIVE_INFINITY;
  return async (subscriber) => {
    if (clock() < askAgainAtMs) return {};
    try {
      return await within(limitMs, 'the look-up of who dials', find(subscriber));
    } catch (error) {
      // All who asked meanwhile hear of it; one of them says it.
      if (clock() >= askAgainAtMs) logger.warn({ err: error }, 'nothing is known of who dials: they get the default');
      askAgainAtMs = clock() + pauseMs;
      return {};
    }
  };
}
