import { type UssdAnalytics, ussdHopOutcomes } from '@mlango/schemas/ussd-analytics';
import { medianOf } from './log-buckets.js';
import { addTo, allOf, type ReportTime, type ScreenSums, type Sums } from './sums.js';
import { afterWays, medianDwell } from './ways-taken.js';

type ScreenReport = UssdAnalytics['screens'][number];

/** Makes the report of what was counted. Pure. */
export function report({ screens, failedHops, uncounted }: Sums, time: ReportTime): UssdAnalytics {
  const all = [...screens.values()];
  const started = all.reduce((sum, { outcomes }) => sum + outcomes.dialled + outcomes.replayed, 0);
  const rows = all.filter(({ screen }) => screen !== '').map((row) => screenOf(row, started));
  const total = (of: (row: ScreenReport) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    from: new Date(time.fromMs).toISOString(),
    to: new Date(time.nowMs).toISOString(),
    sessions: {
      started,
      ended: total(({ outcomes }) => outcomes.ended),
      abandoned: total(({ abandoned }) => abandoned),
      open: total(({ open }) => open),
    },
    hops: total(hopsOn),
    failedHops,
    uncounted,
    screens: rows
      .filter((row) => row.visits + hopsOn(row) + row.abandoned + row.open > 0)
      .toSorted((a, b) => b.visits - a.visits),
  };
}

function hopsOn({ outcomes }: ScreenReport): number {
  return ussdHopOutcomes.reduce((sum, outcome) => sum + outcomes[outcome], 0);
}

function screenOf({ flow, screen, outcomes, answer, on, ...row }: ScreenSums, started: number): ScreenReport {
  const visits = allOf(row.visits);
  const next = new Map<string, number>();
  for (const { to, dwell } of on.values()) if (to !== screen && dwell.size > 0) addTo(next, to, allOf(dwell));
  return {
    flow,
    screen,
    visits,
    shareOfSessions: started === 0 ? null : visits / started,
    outcomes,
    next: [...next].map(([to, count]) => ({ screen: to, count })).toSorted((a, b) => b.count - a.count),
    ...afterWays(row.into.values(), visits),
    medianDwellMs: medianDwell(on.values()),
    medianAnswerMs: medianOf(answer),
  };
}
