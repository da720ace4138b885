import type { PluginFigure } from '../../plugin-kit/plugin-figures.js';
import type { CreditBoot } from './tables.js';

/** What an operator sees of credits: whether what is used gets settled. */
export function creditFigures({ own, now }: Pick<CreditBoot, 'own' | 'now'>): readonly PluginFigure[] {
  return [
    {
      name: 'tokens',
      help: 'Credits that have gone and are in no balance yet: owed by what was used and is not settled, held for turns under way.',
      read: async () => {
        const { owed, held } = await own.outstanding();
        return { owed, held };
      },
    },
    {
      name: 'oldest_claim_seconds',
      help: 'For how long the oldest of what was used has waited to be settled.',
      read: async () => {
        const { oldestOpenedAt } = await own.outstanding();
        return { owed: oldestOpenedAt === undefined ? 0 : (now().getTime() - oldestOpenedAt.getTime()) / 1_000 };
      },
    },
  ];
}
