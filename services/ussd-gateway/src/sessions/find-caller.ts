import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@mlango/service-kit/logging';
import { within } from '@mlango/service-kit/within';
import type { Subscriber } from '../effects/intent.js';
import type { KnownIntent } from '../effects/intent-store.js';

/** What is known of a subscriber whose session begins. */
export interface Caller {
  /** The language they chose. */
  readonly language?: string | undefined;
  /** What they asked for and were not told the outcome of. */
  readonly unacknowledged?: KnownIntent | undefined;
}

/**
 * Of what they asked for, the latest that they were not told of, by this aggregator and service code: under way, or ended with an outcome.
 * It is forgotten so long (`withinMs` of the adapter) after its end, or after its begin where it has none. Rejects when nobody can say.
 */
export type FindCaller = (subscriber: Subscriber) => Promise<Caller>;

export interface CallerFinderOptions {
  readonly find: FindCaller;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
  readonly logger: Logger;
  /**
   * How long after a reply any replica may take to note that its outcome was shown, in ms. An outcome that is found is looked up once more after this time.
   * Default: it is not.
   */
  readonly noteMs?: number;
}

/** A dial waits so long for what the database knows of its subscriber. */
const limitMs = 400;

/** After a failure dials do not ask again for so long, and are served in the default language at once. */
const pauseMs = 3000;

/** Soon, and without a rejection: nothing when nobody can say. */
export function callerFinder({ find, clock, logger, noteMs = 0 }: CallerFinderOptions): FindCaller {
  let askAgainAtMs = Number.NEGATIVE_INFINITY;
  const look = (subscriber: Subscriber) => within(limitMs, 'the look-up of who dials', find(subscriber));
  return async (subscriber) => {
    if (clock() < askAgainAtMs) return {};
    try {
      const found = await look(subscriber);
      if (noteMs === 0 || found.unacknowledged?.outcome === undefined) return found;
      // The reply that showed the outcome may have been sent just now: without a second look this dial would show it again.
      await pause(noteMs);
      return await look(subscriber).catch(() => found);
    } catch (error) {
      // All who asked meanwhile hear of it; one of them says it.
      if (clock() >= askAgainAtMs) logger.warn({ err: error }, 'nothing is known of who dials: they get the default');
      askAgainAtMs = clock() + pauseMs;
      return {};
    }
  };
}
