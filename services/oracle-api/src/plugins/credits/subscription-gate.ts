import { ServiceError } from '@mlango/service-kit/errors';
import type { PaymentGate } from '../../agent/admission.js';
import { claimsToPay, holdForTurn } from './local-gate.js';
import type { Standing, SubscriptionApi } from './subscription-api.js';
import type { CreditBoot } from './tables.js';

/** A user who may be answered is not asked about again for so long. */
export const freshMs = 30_000;

/** For so long the last good word on a user holds while the subscription API cannot be reached. */
export const staleMs = 300_000;

const rememberedUsers = 10_000;

/** The last good word on a user. */
interface Word {
  readonly atMs: number;
  /** Whether it said what is left to them: a turn then holds what it may take. */
  readonly isCounted: boolean;
}

/**
 * Asks the subscription API. Only a yes is remembered, so that who has just paid is answered at once. Where the API says what is left to a
 * user, each turn holds what it may take of it, as of a balance of the oracle's own. While the API is away who was let in of late still is;
 * anybody else is refused with 503: nothing is answered for free by mistake, unless `SUBSCRIPTION_AWAY` says so.
 */
export function subscriptionGate(
  api: Pick<SubscriptionApi, 'standingOf'>,
  boot: Pick<CreditBoot, 'own' | 'config' | 'newId' | 'now' | 'logger'>,
): PaymentGate {
  const { own } = boot;
  /** Who was let in, the one of longest ago first. */
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

  /** Asks about a user, once for all messages that come meanwhile, and takes over what is left to them. */
  const asking = new Map<string, Promise<Standing>>();
  const askFor = (ownerDid: string): Promise<Standing> => {
    const under = asking.get(ownerDid);
    if (under !== undefined) return under;
    const asked = ask(ownerDid).finally(() => asking.delete(ownerDid));
    asking.set(ownerDid, asked);
    return asked;
  };
  const ask = async (ownerDid: string): Promise<Standing> => {
    const { balance: seen } = await own.accountOf(ownerDid);
    const standing = await api.standingOf(ownerDid);
    if (standing.kind === 'away') boot.logger.warn({ err: standing.cause }, 'subscription API did not answer');
    if (standing.kind === 'inactive') letIn.delete(ownerDid);
    if (standing.kind !== 'active') return standing;
    const { remaining } = standing;
    remember(ownerDid, { atMs: boot.now().getTime(), isCounted: remaining !== undefined });
    if (remaining !== undefined) await own.mirror(ownerDid, remaining, seen);
    return standing;
  };

  /** Holds what the turn may take, where that is counted. */
  const isCovered = async (ownerDid: string, runId: string) =>
    letIn.get(ownerDid)?.isCounted !== true || holdForTurn(boot, ownerDid, runId);
  const agoMs = (ownerDid: string) => boot.now().getTime() - (letIn.get(ownerDid)?.atMs ?? Number.NEGATIVE_INFINITY);

  return {
    async demandOf({ ownerDid, runId }) {
      if (agoMs(ownerDid) < freshMs && (await isCovered(ownerDid, runId))) return undefined;
      const standing = await askFor(ownerDid);
      if (standing.kind === 'inactive') {
        return refusal(ownerDid, 'Your subscription does not cover this', standing.claims);
      }
      if (standing.kind === 'away' && agoMs(ownerDid) >= staleMs) {
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
