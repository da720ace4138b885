import { within } from '../async/within.js';
import type { Logger } from '../logging/index.js';
import type { RateLimitStore } from './rate-limit-store.js';

export interface LocalCeilingOptions {
  /** How long one hit waits for the shared store. Default 250 ms. */
  readonly timeoutMs?: number;
  /** After a failure the shared store is tried by one hit per this time; all others are not slowed. Default 1,000 ms. */
  readonly retryAfterMs?: number;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Counts in `shared`, and in `local` as well: when the shared store fails or is slow, the local count limits at once, and
 * the hits a caller had before the outage are in it. A limit is then per replica instead of over all; there is never no
 * limit. What was counted locally in an outage is not carried to the shared store.
 *
 * Never rejects on account of `shared`. Logs the beginning and the end of an outage once each.
 */
export function withLocalCeiling(
  shared: RateLimitStore,
  local: RateLimitStore,
  logger: Logger,
  options: LocalCeilingOptions = {},
): RateLimitStore {
  const { timeoutMs = 250, retryAfterMs = 1_000, now = () => performance.now() } = options;
  let away = false;
  let nextTrialAt = 0;

  const ofShared = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    if (away) {
      if (now() < nextTrialAt) return undefined;
      nextTrialAt = now() + retryAfterMs;
    }
    try {
      const answer = await within(timeoutMs, 'the shared count', ask());
      if (away) logger.info('the shared rate limit counts again');
      away = false;
      return answer;
    } catch (error) {
      if (!away) {
        const reason = error instanceof Error ? error.message : 'unknown';
        logger.warn({ reason }, 'the shared rate limit is away; each replica limits by its own count');
        nextTrialAt = now() + retryAfterMs;
      }
      away = true;
      return undefined;
    }
  };

  return {
    hit: async (key, windowMs, cost = 1) => {
      const sharedHit = ofShared(() => shared.hit(key, windowMs, cost));
      const [localHit, hit] = await Promise.all([local.hit(key, windowMs, cost), sharedHit]);
      return hit ?? localHit;
    },
    forget: async (key, windowMs) => {
      await Promise.all([local.forget(key, windowMs), ofShared(() => shared.forget(key, windowMs))]);
    },
  };
}
