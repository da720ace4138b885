import type { PluginBoot } from '../../plugin-kit/plugin.js';
import type { CreditAccount } from '../../store/credit-ledger.js';

/**
 * The claims that stand between a user and an answer. Somebody who has used nothing yet owes nothing, but clients pay by
 * claim: a claim of 0 tokens is opened for them, and is settled with the first credits they get.
 */
export async function claimsToPay(
  { stores, newId, now }: Pick<PluginBoot, 'stores' | 'newId' | 'now'>,
  ownerDid: string,
  account?: CreditAccount,
): Promise<readonly string[]> {
  const { openClaims } = account ?? (await stores.credits.accountOf(ownerDid));
  if (openClaims.length > 0) return openClaims;
  const claimId = newId();
  await stores.credits.open({ claimId, ownerDid, tokens: 0, openedAt: now() });
  return [claimId];
}
