import type { CreditLedger } from './credit-ledger.js';
import type { SubscriptionApi } from './subscription-api.js';

const claimsAtOnce = 100;

/** Beyond so many claims a round ends, and the next one goes on. */
const roundClaims = 5_000;

/** Pays what balances can pay. Gives how many claims were settled. */
export async function payClaims(ledger: CreditLedger, now: () => Date): Promise<number> {
  let settled = 0;
  while (settled < roundClaims) {
    const payable = await ledger.payableClaims(claimsAtOnce);
    let paid = 0;
    for (const { claimId } of payable) if (await ledger.pay(claimId, now())) paid += 1;
    settled += paid;
    // None was paid: others settle at the same time, or nothing is left.
    if (paid === 0) break;
  }
  return settled;
}

/** Hands what was used to the subscription API, which bills it. Gives how many claims were settled. */
export async function submitClaims(
  ledger: CreditLedger,
  api: Pick<SubscriptionApi, 'submit'>,
  now: () => Date,
): Promise<number> {
  let settled = 0;
  let last: string | undefined;
  for (let seen = 0; seen < roundClaims; ) {
    const claims = await ledger.openClaims(claimsAtOnce, last);
    last = claims.at(-1)?.claimId;
    if (last === undefined) break;
    seen += claims.length;
    const sent = new Set(claims.map(({ claimId }) => claimId));
    const accepted = await api.submit(claims);
    settled += await ledger.close(
      accepted.filter((claimId) => sent.has(claimId)),
      now(),
    );
  }
  return settled;
}
