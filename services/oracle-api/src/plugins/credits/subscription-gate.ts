import { ServiceError } from '@mlango/service-kit/errors';
import type { PaymentGate } from '../../runs/payment.js';
import { claimsToPay, holdForTurn } from './local-gate.js';
import type { Standing, SubscriptionApi } from './subscription-api.js';
import type { CreditBoot } from './tables.js';

/** Lifetime of a granted access without another look-up, in ms. */
export const freshMs = 30_000;

/** Lifetime of a granted access while the subscription API is unavailable, in ms. */
export const staleMs = 300_000;

const rememberedUsers = 10_000;

/** The last granted access of a user. */
interface Word {
  readonly atMs: number;
  /** Whether the API reported remaining tokens: a turn then holds its maximum usage. */
  readonly isCounted: boolean;
}

/**
 * Checks access at the subscription API. Only granted access is cached, so that a payment takes effect at once. If the
 * API reports remaining tokens, each turn holds its maximum usage, as with local balances. While the API is unavailable, recently
 * granted access stays valid; all other messages are refused with 503, unless `SUBSCRIPTION_AWAY` permits them.
 */
export function subscriptionGate(
  api: Pick<SubscriptionApi, 'standingOf'>,
  boot: Pick<CreditBoot, 'own' | 'config' | 'newId' | 'now' | 'logger'>,
): PaymentGate {
  const { own } = boot;
  /** Granted access, the oldest first. */
  const letIn = new Map<string, Word>();

  const remember = (ownerDid: string, word: Word) => {
    letIn.delete(ownerDid);
    letIn.set(ownerDid, word);
    const [oldest] = letIn.keys();
    if (letIn.size > rememberedUsers && oldest !== undefined) letIn.delete(oldest);
  };
  const refusal = async (ownerDid: string, message: string, claims: readonly string[] = []) => ({
    message,
    claims: claims.length > 0 ? claims : await claimsToPay(boot, ownerDid),
  });

  /** Looks up a user, once for all concurrent messages, and stores the remaining tokens. */
  const pending = new Map<string, Promise<Standing>>();
  const currentStanding = (ownerDid: string): Promise<Standing> => {
    const under = pending.get(ownerDid);
    if (under !== undefined) return under;
    const lookup = lookUp(ownerDid).finally(() => pending.delete(ownerDid));
    pending.set(ownerDid, lookup);
    return lookup;
  };
  const lookUp = async (ownerDid: string): Promise<Standing> => {
    const { balance: seen } = await own.accountOf(ownerDid);
    const standing = await api.standingOf(ownerDid);
    if (standing.kind === 'unavailable') boot.logger.warn({ err: standing.cause }, 'subscription API did not answer');
    if (standing.kind === 'inactive') letIn.delete(ownerDid);
    if (standing.kind !== 'active') return standing;
    const { remaining } = standing;
    remember(ownerDid, { atMs: boot.now().getTime(), isCounted: remaining !== undefined });
    if (remaining !== undefined) await own.mirror(ownerDid, remaining, seen);
    return standing;
  };

  /** Holds the maximum usage of the turn, if tokens are counted. */
  const isCovered = async (ownerDid: string, runId: string) =>
    letIn.get(ownerDid)?.isCounted !== true || holdForTurn(boot, ownerDid, runId);
  const agoMs = (ownerDid: string) => boot.now().getTime() - (letIn.get(ownerDid)?.atMs ?? Number.NEGATIVE_INFINITY);

  return {
    async demandOf({ ownerDid, runId }) {
      if (agoMs(ownerDid) < freshMs && (await isCovered(ownerDid, runId))) return undefined;
      const standing = await currentStanding(ownerDid);
      if (standing.kind === 'inactive') {
        return refusal(ownerDid, 'Your subscription does not cover this', standing.claims);
      }
      if (standing.kind === 'unavailable' && agoMs(ownerDid) >= staleMs) {
        if (boot.config.SUBSCRIPTION_AWAY === 'answer') return undefined;
        throw new ServiceError('unavailable', 'Credits cannot be checked right now', {
          headers: { 'retry-after': '5' },
        });
      }
      if (await isCovered(ownerDid, runId)) return undefined;
      const isUsedUp = standing.kind === 'active' && standing.remaining === 0;
      return refusal(
        ownerDid,
        isUsedUp ? 'Your credits are used up' : 'Your credits are reserved for answers in progress',
      );
    },
    release: (runId) => own.release(runId),
  };
}
