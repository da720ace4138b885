import { type UssdAnalytics, ussdHopOutcomes } from '@mlango/schemas/ussd-analytics';
import type { SummedCount } from './count.js';
import { medianDwell, type ScreenSums, sumScreens, visitsAfter } from './screen-sums.js';
import { medianOf } from './time-buckets.js';

type ScreenReport = UssdAnalytics['screens'][number];

/** The report of all screens. Pure. */
export function screenReport(counts: readonly SummedCount[]): Omit<UssdAnalytics, 'from' | 'to'> {
  const all = [...sumScreens(counts).values()].filter(({ screen }) => screen !== '');
  const started = all.reduce((sum, { outcomes }) => sum + outcomes.dialled + outcomes.replayed, 0);
  const rows = all.map((row) => screenOf(row, started));
  const total = (of: (row: ScreenReport) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const sumOf = (measure: SummedCount['measure']) =>
    counts.reduce((sum, row) => sum + (row.measure === measure ? row.count : 0), 0);
  return {
    sessions: {
      started,
      ended: total(({ outcomes }) => outcomes.ended),
      abandoned: total(({ abandoned }) => abandoned),
      open: total(({ open }) => open),
    },
    hops: total(hopsOn),
    failedHops: sumOf('failed'),
    uncounted: sumOf('uncounted'),
    screens: rows
      .filter((row) => row.visits + hopsOn(row) + row.abandoned + row.open > 0)
      .toSorted((a, b) => b.visits - a.visits),
  };
}

function hopsOn({ outcomes }: ScreenReport): number {
  return ussdHopOutcomes.reduce((sum, outcome) => sum + outcomes[outcome], 0);
}

function screenOf({ flow, screen, visits, outcomes, answers, from, into }: ScreenSums, started: number): ScreenReport {
  const next = [...from.values()].filter(({ to, people }) => to !== screen && people > 0);
  return {
    flow,
    screen,
    visits,
    shareOfSessions: started === 0 ? null : visits / started,
    outcomes,
    next: next.map(({ to, people }) => ({ screen: to, count: people })).toSorted((a, b) => b.count - a.count),
    ...visitsAfter(into.values(), visits),
    medianDwellMs: medianDwell(from.values()),
    medianAnswerMs: medianOf(answers),
  };
}
