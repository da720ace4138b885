import type { UssdAnalytics } from '@mlango/schemas/ussd-analytics';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { type Analytics, readReport } from '../analytics/read-report.js';

type ScreenRow = UssdAnalytics['screens'][number];

const hours = 24;
const freshMs = 10_000;
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
export function analyticsMetrics(metrics: Metrics, analytics: Analytics, logger: Logger): void {
  let latest: { readonly atMs: number; readonly rows: Promise<readonly ScreenRow[]> } | undefined;
  const rows = (): Promise<readonly ScreenRow[]> => {
    const now = performance.now();
    if (latest === undefined || now - latest.atMs > freshMs) {
      const read = readReport(analytics, hours).then(
        ({ screens }) => screens,
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
      labelNames: ['flow', 'screen'],
      async collect() {
        this.reset();
        for (const row of await rows()) {
          const value = of(row);
          if (value !== undefined) this.set({ flow: row.flow, screen: row.screen }, value);
        }
      },
    });
  }
}
