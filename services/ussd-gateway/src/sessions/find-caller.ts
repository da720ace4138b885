import { setTimeout as pause } from 'node:timers/promises';
import { within } from '@mlango/async/within';
import type { Logger } from '@mlango/service-kit/logging';
import type { StoredEffect, Subscriber } from '../effects/effect.js';

/** A subscriber at the start of a session. */
export interface Caller {
  /** The language that the subscriber chose. */
  readonly language?: string | undefined;
  /** Latest effect at this aggregator and service code with an outcome that was not acknowledged: running, or ended. */
  readonly unacknowledged?: StoredEffect | undefined;
  /** The look-up failed or was skipped: there may be such an effect. */
  readonly isUnknown?: boolean;
}

/** Rejects if the store is unavailable. */
export type FindCaller = (subscriber: Subscriber) => Promise<Caller>;

export interface CallerFinderOptions {
  readonly find: FindCaller;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
  readonly logger: Logger;
  /** A found outcome is looked up again after this time, in ms: another replica may be recording that it was shown. Default: it is not. */
  readonly recheckAfterMs?: number;
}

/** Longest wait of a dial for the database. */
const limitMs = 400;

/** After a failure dials skip the look-up for this time and use the default language. */
const pauseMs = 3000;

/** Looks up callers within a time limit. Never rejects. */
export function callerFinder({ find, clock, logger, recheckAfterMs = 0 }: CallerFinderOptions): FindCaller {
  let retryAtMs = Number.NEGATIVE_INFINITY;
  const lookUp = (subscriber: Subscriber) => within(limitMs, 'the look-up of a caller', find(subscriber));
  return async (subscriber) => {
    if (clock() < retryAtMs) return { isUnknown: true };
    try {
      const found = await lookUp(subscriber);
      if (recheckAfterMs === 0 || found.unacknowledged?.outcome === undefined) return found;
      // The reply that showed the outcome may have been sent just now: one look-up alone would show the outcome twice.
      await pause(recheckAfterMs);
      return await lookUp(subscriber).catch(() => found);
    } catch (error) {
      // Many dials fail at the same time: one of them logs.
      if (clock() >= retryAtMs) logger.warn({ err: error }, 'caller lookup failed, using default language');
      retryAtMs = clock() + pauseMs;
      return { isUnknown: true };
    }
  };
}
