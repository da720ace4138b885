import type { Metrics } from '@mlango/service-kit/metrics';

/** Counts what is sent to webhooks and what they call back. */
export function webhookMetrics(metrics: Metrics) {
  const calls = metrics.counter({
    name: 'ussd_webhook_calls_total',
    help: 'Calls of webhooks by what they came to: done, refused, pending, or nothing of use.',
    labelNames: ['webhook', 'result'],
  });
  const callbacks = metrics.counter({
    name: 'ussd_webhook_callbacks_total',
    help: 'Callbacks of webhooks: taken, repeated, pending, contradictory, refused (signature), unknown (intent), unusable.',
    labelNames: ['webhook', 'result'],
  });
  return {
    onCall: (webhook: string, result: string) => calls.inc({ webhook, result }),
    onCallback: (webhook: string, result: string) => callbacks.inc({ webhook, result }),
  };
}
