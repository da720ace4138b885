import type { PaymentGate } from '../../agent/admission.js';
import type { CreditAccount } from './credit-ledger.js';
import type { CreditBoot } from './tables.js';

/**
 * The claims that stand between a user and an answer. Somebody who has used nothing yet owes nothing, but clients pay by
 * claim: a claim of 0 tokens is opened for them, and is settled with the first credits they get.
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

/** For so long what a turn may take is held when nobody says that it has ended: longer than any turn waits for its place and runs. */
export const holdMs = 60 * 60_000;

/** Holds what a turn may take; false where nothing is left. */
export function holdForTurn(
  { own, config, now }: Pick<CreditBoot, 'own' | 'config' | 'now'>,
  ownerDid: string,
  runId: string,
): Promise<boolean> {
  const at = now();
  const expiresAt = new Date(at.getTime() + holdMs);
  return own.reserve({ runId, ownerDid, tokens: config.CREDITS_TURN_TOKENS, expiresAt }, at);
}

/** Lets users through who have credits left, and holds what the turn may take until it has ended. */
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
