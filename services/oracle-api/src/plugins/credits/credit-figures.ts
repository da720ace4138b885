import type { PluginFigure } from '../api/plugin.js';
import type { OutstandingCredits } from './credit-records.js';
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
      help: 'Credits not yet deducted: owed for unsettled usage, held for running turns.',
      read: async () => {
        const { owed, held } = await outstanding();
        return { owed, held };
      },
    },
    {
      name: 'oldest_claim_seconds',
      help: 'Age of the oldest unsettled usage.',
      read: async () => {
        const { oldestOpenedAt } = await outstanding();
        return { owed: oldestOpenedAt === undefined ? 0 : (now().getTime() - oldestOpenedAt.getTime()) / 1_000 };
      },
    },
  ];
}
