import { intervalLoop } from '@mlango/async/interval-loop';
import type { CreditLedger } from './credit-ledger.js';

import type { SubscriptionApi } from './subscription-api.js';
import type { CreditBoot } from './tables.js';

const claimsAtOnce = 100;

/** Claims per round; the rest follows in the next round. */
const roundClaims = 5_000;

/** Pays the claims that balances can pay. Returns the number of settled claims. */
export async function payClaims(ledger: CreditLedger, now: () => Date): Promise<number> {
  let settled = 0;
  while (settled < roundClaims) {
    const payable = await ledger.payableClaims(claimsAtOnce);
    let paid = 0;
    for (const { claimId } of payable) if (await ledger.pay(claimId, now())) paid += 1;
    settled += paid;
    // None was paid: another process settled the claims, or none are left.
    if (paid === 0) break;
  }
  return settled;
}

/** A claim with this many attempts has been open for hours and needs an operator. */
const overdueAttempts = 10;

/**
 * Submits due claims to the subscription API, which bills them, in batches. Returns the number of settled claims; the ledger makes
 * the others due again later. Rejects if the API is unreachable or its reply is invalid.
 */
export async function submitClaims(
  ledger: CreditLedger,
  api: Pick<SubscriptionApi, 'submit'>,
  now: () => Date,
  log: { error(fields: object, text: string): void },
): Promise<number> {
  let settled = 0;
  for (let seen = 0; seen < roundClaims; ) {
    const claims = await ledger.takeDue(claimsAtOnce, now());
    if (claims.length === 0) break;
    seen += claims.length;
    const overdue = claims.filter(({ attempts }) => attempts >= overdueAttempts).map(({ claimId }) => claimId);
    if (overdue.length > 0) log.error({ claims: overdue }, 'claims rejected by the subscription API');
    const sent = new Set(claims.map(({ claimId }) => claimId));
    const accepted = await api.submit(claims);
    settled += await ledger.close(
      accepted.filter((claimId) => sent.has(claimId)),
      now(),
    );
  }
  return settled;
}

/**
 * Submits usage to the subscription API periodically, for all replicas. A claim is written in the transaction that takes it out of
 * its hold, and stays until the API confirms it: all usage is billed even if the process dies, and the API bills a claim id once. Returns a
 * function that stops the loop.
 */
export function deliverClaims(
  { own, config, now, logger }: Pick<CreditBoot, 'own' | 'config' | 'now' | 'logger'>,
  api: Pick<SubscriptionApi, 'submit'>,
): () => Promise<void> {
  /** An outage is logged once. */
  let isFailing = false;
  const deliver = async () => {
    try {
      await submitClaims(own, api, now, logger);
      isFailing = false;
    } catch (err) {
      if (!isFailing) logger.warn({ err }, 'claims not delivered, will retry');
      isFailing = true;
    }
  };
  const everyMs = config.SUBSCRIPTION_DELIVERY_SECONDS * 1_000;
  if (everyMs === 0) return async () => undefined;
  return intervalLoop(deliver, () => everyMs).stop;
}
