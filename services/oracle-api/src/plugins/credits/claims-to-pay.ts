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
