import { submitClaims } from './settle-claims.js';
import type { SubscriptionApi } from './subscription-api.js';
import type { CreditBoot } from './tables.js';

/**
 * Hands what was used to the subscription API by and by, whichever replica wrote it down. A claim is written in the step that takes it
 * out of its hold, and is there until the API has said that it keeps it: a process that dies in between loses nothing, and the API bills a
 * claim of one id once. Gives what ends it.
 */
export function deliverClaims(
  { own, config, now, logger }: Pick<CreditBoot, 'own' | 'config' | 'now' | 'logger'>,
  api: Pick<SubscriptionApi, 'submit'>,
): () => Promise<void> {
  let round: Promise<unknown> | undefined;
  /** An outage is logged once. */
  let isFailing = false;
  const deliver = async () => {
    try {
      await submitClaims(own, api, now, logger);
      isFailing = false;
    } catch (err) {
      if (!isFailing) logger.warn({ err }, 'claims not handed on; they will be');
      isFailing = true;
    }
  };
  const everyMs = config.SUBSCRIPTION_DELIVERY_SECONDS * 1_000;
  if (everyMs === 0) return async () => undefined;
  const timer = setInterval(() => {
    round ??= deliver().finally(() => {
      round = undefined;
    });
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}
