import type { PluginFigure } from '../api/plugin.js';
import type { OutstandingCredits } from './credit-ledger.js';
import type { CreditBoot } from './tables.js';

/** Metrics of credits for operators: shows whether usage is settled. */
export function creditFigures({ own, now }: Pick<CreditBoot, 'own' | 'now'>): readonly PluginFigure[] {
  let reading: Promise<OutstandingCredits> | undefined;
  // Both metrics share one query of the ledger.
  const outstanding = () => {
    reading ??= own.outstanding().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return [
    {
      name: 'tokens',
      help: 'Credits that have gone and are in no balance yet: owed by what was used and is not settled, held for turns under way.',
      read: async () => {
        const { owed, held } = await outstanding();
        return { owed, held };
      },
    },
    {
      name: 'oldest_claim_seconds',
      help: 'For how long the oldest of what was used has waited to be settled.',
      read: async () => {
        const { oldestOpenedAt } = await outstanding();
        return { owed: oldestOpenedAt === undefined ? 0 : (now().getTime() - oldestOpenedAt.getTime()) / 1_000 };
      },
    },
  ];
}
