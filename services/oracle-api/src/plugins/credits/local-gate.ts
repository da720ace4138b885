import type { PaymentGate } from '../../runs/payment.js';
import type { CreditAccount } from './credit-records.js';
import type { CreditBoot } from './tables.js';

/**
 * Claims that a user must pay before the next answer. A new user owes nothing, but clients pay by claim: a claim of 0 tokens is
 * opened, and settled with the user's first credits.
 */
export async function claimsToPay(
  { own, newId, now }: Pick<CreditBoot, 'own' | 'newId' | 'now'>,
  ownerDid: string,
  account?: CreditAccount,
): Promise<readonly string[]> {
  const { openClaims } = account ?? (await own.accountOf(ownerDid));
  if (openClaims.length > 0) return openClaims;
  const claimId = newId();
  await own.open({ claimId, ownerDid, tokens: 0, openedAt: now() });
  return [claimId];
}

/** Expiry of a hold if its run never reports its end: longer than any turn waits and runs. */
export const holdMs = 60 * 60_000;

/** Holds the maximum usage of a turn; false if no tokens are left. */
export function holdForTurn(
  { own, config, now }: Pick<CreditBoot, 'own' | 'config' | 'now'>,
  ownerDid: string,
  runId: string,
): Promise<boolean> {
  const at = now();
  const expiresAt = new Date(at.getTime() + holdMs);
  return own.reserve({ runId, ownerDid, tokens: config.CREDITS_TURN_TOKENS, expiresAt }, at);
}

/** Accepts messages of users with credits left, and holds the maximum usage of the turn until its end. */
export function localGate(boot: Pick<CreditBoot, 'own' | 'config' | 'newId' | 'now'>): PaymentGate {
  const { own } = boot;
  return {
    async demandOf({ ownerDid, runId }) {
      if (await holdForTurn(boot, ownerDid, runId)) return undefined;
      const account = await own.accountOf(ownerDid);
      const isBusy = account.balance > account.owed;
      const message = isBusy ? 'Your credits are reserved for answers in progress' : 'Your credits are used up';
      return { message, claims: await claimsToPay(boot, ownerDid, account) };
    },
    release: (runId) => own.release(runId),
  };
}
