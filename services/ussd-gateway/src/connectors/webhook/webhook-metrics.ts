import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { IntentStore } from '../../effects/intent-store.js';

/** Counts what is sent to webhooks and what they call back, and how many acts of all kinds wait for their outcome. */
export function webhookMetrics(metrics: Metrics, intents: Pick<IntentStore, 'underWay'>, logger: Logger) {
  const calls = metrics.counter({
    name: 'ussd_webhook_calls_total',
    help: 'Calls of webhooks by what they came to: done, refused, pending, or nothing of use',
    labelNames: ['webhook', 'result'],
  });
  const callbacks = metrics.counter({
    name: 'ussd_webhook_callbacks_total',
    help: 'Callbacks of webhooks: taken, repeated, pending, contradictory, refused (signature), unknown (intent), unusable',
    labelNames: ['webhook', 'result'],
  });
  metrics.gauge({
    name: 'ussd_effects_under_way',
    help: 'Acts whose outcome is not known, over all processes. Absent while the database is away.',
    async collect() {
      this.reset();
      const count = await intents.underWay().catch((error: unknown) => {
        logger.debug({ err: error }, 'no count of effects for the metrics');
      });
      if (count !== undefined) this.set(count);
    },
  });
  return {
    onCall: (webhook: string, result: string) => calls.inc({ webhook, result }),
    onCallback: (webhook: string, result: string) => callbacks.inc({ webhook, result }),
  };
}
