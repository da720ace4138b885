import type { UssdAnalytics } from '@mlango/schemas/ussd-analytics';
import { fleetGauges } from '@mlango/service-kit/fleet-gauges';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { hopOutcomes } from '../analytics/hop-metrics.js';
import type { SessionStore } from '../sessions/session-store.js';
import type { TenantRegistry } from './tenant-registry.js';

type ScreenRow = UssdAnalytics['screens'][number] & { readonly service: string };

const hours = 24;
/** Limits the number of series; the most visited screens come first. */
const maxRows = 3000;
const seconds = (ms: number | null) => (ms === null ? undefined : ms / 1000);

const gauges: readonly { name: string; help: string; of: (row: ScreenRow) => number | undefined }[] = [
  { name: 'ussd_screen_visits', help: 'Visits of a screen', of: (row) => row.visits },
  { name: 'ussd_screen_refusals', help: 'Inputs refused by a screen', of: (row) => row.outcomes.refused ?? 0 },
  {
    name: 'ussd_screen_drop_off_ratio',
    help: 'Drop-off of a screen: sessions that expired or were closed on it, as a share of completed visits',
    of: (row) => row.dropOff ?? undefined,
  },
  {
    name: 'ussd_screen_dwell_median_seconds',
    help: 'Median time to the next key',
    of: (row) => seconds(row.medianDwellMs),
  },
  {
    name: 'ussd_screen_answer_median_seconds',
    help: 'Median time from key to reply',
    of: (row) => seconds(row.medianAnswerMs),
  },
];

/** The main figures of the report as gauges, read at scrape time. */
export function analyticsMetrics(metrics: Metrics, tenants: TenantRegistry, logger: Logger): void {
  const read = async (): Promise<readonly ScreenRow[]> => {
    const rows: ScreenRow[] = [];
    // One at a time, so that hops find free connections.
    for (const { id: service, analytics } of tenants.all) {
      const { screens } = await analytics.report(hours);
      rows.push(...screens.map((row) => ({ ...row, service })));
    }
    return rows.toSorted((a, b) => b.visits - a.visits).slice(0, maxRows);
  };
  fleetGauges(metrics, {
    read,
    labelNames: ['ussd_service', 'flow', 'screen'],
    labelsOf: ({ service: ussd_service, flow, screen }) => ({ ussd_service, flow, screen }),
    gauges: gauges.map((gauge) => ({ ...gauge, help: `${gauge.help}, last ${hours} hours.` })),
    logger,
  });
}

/** Hops of each tenant in this process by outcome, and its live sessions. Only active tenants have series. */
export function tenantMetrics(
  metrics: Metrics,
  tenants: TenantRegistry,
  sessions: Pick<SessionStore, 'countLive'>,
  logger: Logger,
): void {
  metrics.counter({
    name: 'ussd_service_hops_total',
    help: 'Hops by service and outcome.',
    labelNames: ['ussd_service', 'outcome'],
    collect() {
      this.reset();
      for (const { id, counted } of tenants.all)
        for (const outcome of hopOutcomes) this.inc({ ussd_service: id, outcome }, counted[outcome]);
    },
  });
  fleetGauges(metrics, {
    read: () => Promise.all(tenants.all.map(async ({ id }) => ({ id, live: await sessions.countLive(id) }))),
    labelNames: ['ussd_service'],
    labelsOf: ({ id: ussd_service }) => ({ ussd_service }),
    gauges: [{ name: 'ussd_sessions_live', help: 'Live sessions by service.', of: ({ live }) => live }],
    logger,
  });
}
