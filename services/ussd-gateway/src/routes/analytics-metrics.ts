import type { UssdAnalytics } from '@mlango/schemas/ussd-analytics';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { readReport } from '../analytics/read-report.js';
import type { ServedServices } from '../services/served-services.js';

type ScreenRow = UssdAnalytics['screens'][number] & { readonly service: string };

const hours = 24;
const freshMs = 10_000;
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

/** The report's main figures as gauges, read when they are scraped. Absent while the store is away. */
export function analyticsMetrics(metrics: Metrics, services: ServedServices, logger: Logger): void {
  let latest: { readonly atMs: number; readonly rows: Promise<readonly ScreenRow[]> } | undefined;
  const rows = (): Promise<readonly ScreenRow[]> => {
    const now = performance.now();
    if (latest === undefined || now - latest.atMs > freshMs) {
      const reports = services.all.map(async ({ id: service, analytics }) =>
        (await readReport(analytics, hours)).screens.map((row) => ({ ...row, service })),
      );
      const read = Promise.all(reports).then(
        (screens) =>
          screens
            .flat()
            .toSorted((a, b) => b.visits - a.visits)
            .slice(0, mostRows),
        (error: unknown) => {
          logger.debug({ err: error }, 'no analytics for the metrics');
          return [];
        },
      );
      latest = { atMs: now, rows: read };
    }
    return latest.rows;
  };
  for (const { name, help, of } of gauges) {
    metrics.gauge({
      name,
      help: `${help}, over the last ${hours} hours and all processes.`,
      labelNames: ['ussd_service', 'flow', 'screen'],
      async collect() {
        this.reset();
        for (const row of await rows()) {
          const value = of(row);
          if (value !== undefined) this.set({ ussd_service: row.service, flow: row.flow, screen: row.screen }, value);
        }
      },
    });
  }
}
