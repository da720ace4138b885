import { intervalLoop } from '@mlango/service-kit/async';
import type { CreditLedger } from './credit-ledger.js';
import type { SubscriptionApi } from './subscription-api.js';
import type { CreditBoot } from './tables.js';

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

/** What was not taken after so many attempts has been waiting for hours: somebody should look. */
const overdueAttempts = 10;

/**
 * Hands what is due to the subscription API, which bills it, in parts. Gives how many claims were settled; those that were not are
 * due again later, as the ledger says. Rejects when the API cannot be reached or makes no sense.
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
    if (overdue.length > 0) log.error({ claims: overdue }, 'claims that the subscription API does not take');
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
 * Hands what was used to the subscription API by and by, whichever replica wrote it down. A claim is written in the step that takes it
 * out of its hold, and is there until the API has said that it keeps it: a process that dies in between loses nothing, and the API bills a
 * claim of one id once. Gives what ends it.
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
      if (!isFailing) logger.warn({ err }, 'claims not handed on; they will be');
      isFailing = true;
    }
  };
  const everyMs = config.SUBSCRIPTION_DELIVERY_SECONDS * 1_000;
  if (everyMs === 0) return async () => undefined;
  return intervalLoop(deliver, () => everyMs).stop;
}
