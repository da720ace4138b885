import type { AccountStore } from '../accounts/account-store.js';
import type { CountStore } from '../analytics/count-store.js';
import { effectRetentionMs } from '../effects/effect.js';
import type { EffectStore } from '../effects/effect-store.js';
import type { Purge } from './retention-job.js';

/**
 * What the retention job deletes besides the rows of the oracle's connector. Retention: PIN attempts 3 days and their counters 30
 * (`accounts/account.ts`), effects `effectRetentionMs` (`effects/effect.ts`), counts of screens 8 days (`analytics/count-store.ts`).
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
