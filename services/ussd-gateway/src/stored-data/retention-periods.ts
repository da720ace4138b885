import type { AccountStore } from '../accounts/account-store.js';
import type { CountStore } from '../analytics/count-store.js';
import { effectRetentionMs } from '../effects/effect.js';
import type { EffectStore } from '../effects/effect-store.js';
import type { Purge } from './retention-job.js';

/**
 * The deletions of the retention job, besides the expired codes and delegations of the oracle's connector (`deps/open-oracle.ts`):
 * - PIN attempts after 3 days, their counters after 30: `accounts/account.ts`
 * - effects 7 days after their end: `effects/effect.ts`
 * - counts of screens after 8 days: `analytics/count-store.ts`
 */
export function purgesOf(stores: {
  readonly accounts: Pick<AccountStore, 'purgeAttempts'>;
  readonly effects: Pick<EffectStore, 'purge'>;
  readonly counts: Pick<CountStore, 'purge'>;
}): readonly Purge[] {
  return [
    (limit) => stores.accounts.purgeAttempts(limit),
    (limit) => stores.effects.purge(effectRetentionMs, limit),
    (limit) => stores.counts.purge(Date.now(), limit),
  ];
}
