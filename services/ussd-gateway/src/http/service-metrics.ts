import { fleetGauges } from '@mlango/service-kit/fleet-gauges';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { hopOutcomes } from '../analytics/hop-outcome.js';
import type { SessionStore } from '../sessions/session-store.js';
import type { ServedServices } from '../tenants/served-services.js';

/** What the hops of each service came to at this process, and how many of its sessions are live at all. Only services that are served are told of, so that there are never more series than those have. */
export function serviceMetrics(
  metrics: Metrics,
  services: ServedServices,
  sessions: Pick<SessionStore, 'countLive'>,
  logger: Logger,
): void {
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
  fleetGauges(metrics, {
    read: () => Promise.all(services.all.map(async ({ id }) => ({ id, live: await sessions.countLive(id) }))),
    labelNames: ['ussd_service'],
    labelsOf: ({ id: ussd_service }) => ({ ussd_service }),
    gauges: [{ name: 'ussd_sessions_live', help: 'Sessions of each service that are live.', of: ({ live }) => live }],
    logger,
  });
}
