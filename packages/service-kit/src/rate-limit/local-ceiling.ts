import { within } from '@mlango/async/within';
import type { Logger } from '../logging/index.js';
import type { RateLimitStore } from './rate-limit-store.js';

export interface LocalCeilingOptions {
  /** How long one hit waits for the shared store. Default 250 ms. */
  readonly timeoutMs?: number;
  /** After a failure one hit per this time tries the shared store; all others are not delayed. Default 1,000 ms. */
  readonly retryAfterMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Counts in `shared` and in `local`: if the shared store fails or is slow, the local count limits at once, and includes the hits
 * before the outage. The limit is then per replica. Local counts of an outage are not transferred to the shared store.
 *
 * Never rejects because of `shared`. Logs the beginning and the end of an outage once each.
 */
export function withLocalCeiling(
  shared: RateLimitStore,
  local: RateLimitStore,
  logger: Logger,
  options: LocalCeilingOptions = {},
): RateLimitStore {
  const { timeoutMs = 250, retryAfterMs = 1_000, now = () => performance.now() } = options;
  let isDown = false;
  let nextTrialAt = 0;

  const ofShared = async <T>(query: () => Promise<T>): Promise<T | undefined> => {
    if (isDown) {
      if (now() < nextTrialAt) return undefined;
      nextTrialAt = now() + retryAfterMs;
    }
    try {
      const answer = await within(timeoutMs, 'the shared count', query());
      if (isDown) logger.info('shared rate limit is available again');
      isDown = false;
      return answer;
    } catch (error) {
      if (!isDown) {
        const reason = error instanceof Error ? error.message : 'unknown';
        logger.warn({ reason }, 'shared rate limit is unavailable, counting per replica');
        nextTrialAt = now() + retryAfterMs;
      }
      isDown = true;
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
