import type { Metrics } from '@mlango/service-kit/metrics';
import { hopOutcomes } from '../analytics/hop-outcome.js';
import type { ServedServices } from '../services/served-services.js';

/** What the hops of each service came to at this process. Only services that are served are told of, so that there are never more series than those have. */
export function serviceMetrics(metrics: Metrics, services: ServedServices): void {
  metrics.counter({
    name: 'ussd_service_hops_total',
    help: 'Hops of each service, by what they came to.',
    labelNames: ['ussd_service', 'outcome'],
    collect() {
      this.reset();
      for (const { id, counted } of services.all)
        for (const outcome of hopOutcomes) this.inc({ ussd_service: id, outcome }, counted[outcome]);
    },
  });
}
