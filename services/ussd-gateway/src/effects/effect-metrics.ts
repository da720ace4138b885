import { fleetGauges } from '@mlango/service-kit/fleet-gauges';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { EffectStore } from './effect-store.js';

/** Number of effects without an outcome, and the age of the oldest. */
export function effectMetrics(metrics: Metrics, effectStore: Pick<EffectStore, 'countOpen'>, logger: Logger): void {
  fleetGauges(metrics, {
    read: () => effectStore.countOpen(),
    labelNames: ['kind'],
    labelsOf: ({ kind }) => ({ kind }),
    gauges: [
      {
        name: 'ussd_effects_under_way',
        help: 'Actions and messages without an outcome.',
        of: ({ count }) => count,
      },
      {
        name: 'ussd_effects_oldest_seconds',
        help: 'Age of the oldest action or message without an outcome.',
        of: ({ oldestMs }) => oldestMs / 1000,
      },
    ],
    logger,
  });
}
