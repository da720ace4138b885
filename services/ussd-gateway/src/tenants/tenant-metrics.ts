import type { UssdAnalytics } from '@mlango/schemas/ussd-analytics';
import { fleetGauges } from '@mlango/service-kit/fleet-gauges';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { hopOutcomes } from '../analytics/hop-counts.js';
import { readReport } from '../analytics/report.js';
import type { SessionStore } from '../sessions/session-store.js';
import type { TenantRegistry } from './tenant-registry.js';

type ScreenRow = UssdAnalytics['screens'][number] & { readonly service: string };

const hours = 24;
/** Screens that are told of, the most visited first: services, and what they have, are many. */
const mostRows = 3000;
const seconds = (ms: number | null) => (ms === null ? undefined : ms / 1000);

const gauges: readonly { name: string; help: string; of: (row: ScreenRow) => number | undefined }[] = [
  { name: 'ussd_screen_visits', help: 'Times a screen was reached', of: (row) => row.visits },
  { name: 'ussd_screen_refusals', help: 'Inputs a screen refused', of: (row) => row.outcomes.refused ?? 0 },
  {
    name: 'ussd_screen_drop_off_ratio',
    help: 'Sessions that expired or were hung up on a screen, of the visits that are over',
    of: (row) => row.dropOff ?? undefined,
  },
  {
    name: 'ussd_screen_dwell_median_seconds',
    help: 'Median time from a screen to the next key',
    of: (row) => seconds(row.medianDwellMs),
  },
  {
    name: 'ussd_screen_answer_median_seconds',
    help: 'Median time from a key to the reply',
    of: (row) => seconds(row.medianAnswerMs),
  },
];

/** The report's main figures as gauges, read when they are scraped. */
export function analyticsMetrics(metrics: Metrics, services: TenantRegistry, logger: Logger): void {
  const read = async (): Promise<readonly ScreenRow[]> => {
    const reports = services.all.map(async ({ id: service, analytics }) =>
      (await readReport(analytics, hours)).screens.map((row) => ({ ...row, service })),
    );
    return (await Promise.all(reports))
      .flat()
      .toSorted((a, b) => b.visits - a.visits)
      .slice(0, mostRows);
  };
  fleetGauges(metrics, {
    read,
    labelNames: ['ussd_service', 'flow', 'screen'],
    labelsOf: ({ service: ussd_service, flow, screen }) => ({ ussd_service, flow, screen }),
    gauges: gauges.map((gauge) => ({ ...gauge, help: `${gauge.help}, over the last ${hours} hours.` })),
    logger,
  });
}

/** What the hops of each service came to at this process, and how many of its sessions are live at all. Only services that are served are told of, so that there are never more series than those have. */
export function tenantMetrics(
  metrics: Metrics,
  services: TenantRegistry,
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
