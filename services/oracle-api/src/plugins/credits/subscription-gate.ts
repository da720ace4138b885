import { ServiceError } from '@mlango/service-kit/errors';
import type { PaymentGate } from '../../turns/lifecycle/payment-gate.js';
import { claimsToPay } from './claims-to-pay.js';
import type { SubscriptionApi } from './subscription-api.js';
import type { CreditBoot } from './tables.js';

/** A user who may be answered is not asked about again for so long. */
export const freshMs = 30_000;

/** For so long the last good word on a user holds while the subscription API cannot be reached. */
export const staleMs = 300_000;

const rememberedUsers = 10_000;

/**
 * Asks the subscription API. Only a yes is remembered, so that who has just paid is answered at once. While the API is
 * away who was let in of late still is; anybody else is refused with 503: nothing is answered for free by mistake, unless
 * `SUBSCRIPTION_AWAY` says so.
 */
export function subscriptionGate(
  api: Pick<SubscriptionApi, 'standingOf'>,
  boot: Pick<CreditBoot, 'own' | 'config' | 'newId' | 'now' | 'logger'>,
): PaymentGate {
  /** When each user was let in, the one of longest ago first. */
  const letIn = new Map<string, number>();

  const remember = (ownerDid: string, atMs: number) => {
    letIn.delete(ownerDid);
    letIn.set(ownerDid, atMs);
    const [oldest] = letIn.keys();
    if (letIn.size > rememberedUsers && oldest !== undefined) letIn.delete(oldest);
  };

  return {
    async demandOf({ ownerDid }) {
      const nowMs = boot.now().getTime();
      const agoMs = nowMs - (letIn.get(ownerDid) ?? Number.NEGATIVE_INFINITY);
      if (agoMs < freshMs) return undefined;
      const standing = await api.standingOf(ownerDid);
      if (standing.kind === 'away') {
        boot.logger.warn({ err: standing.cause }, 'subscription API did not answer');
        if (agoMs < staleMs || boot.config.SUBSCRIPTION_AWAY === 'answer') return undefined;
        throw new ServiceError('unavailable', 'Credits cannot be checked just now', {
          headers: { 'retry-after': '5' },
        });
      }
      if (standing.kind === 'active') {
        remember(ownerDid, nowMs);
        return undefined;
      }
      letIn.delete(ownerDid);
      const claims = standing.claims.length > 0 ? standing.claims : await claimsToPay(boot, ownerDid);
      return { message: 'Your subscription does not cover this', claims };
    },
  };
}
