import { type UssdAnalytics, ussdHopOutcomes } from '@mlango/schemas/ussd-analytics';
import type { UssdFlowMap } from '@mlango/schemas/ussd-flow-map';
import type { Facts, Flow } from '../engine/flow.js';
import { type AnalyticsStore, hourMs, hourOf } from './counts.js';
import type { HopRecorder } from './hop-recorder.js';
import { mapFlow } from './map-flow.js';
import {
  addTo,
  afterWays,
  allOf,
  medianDwell,
  medianOf,
  type ReportTime,
  type ScreenSums,
  type Sums,
  sumUp,
} from './sums.js';

type ScreenReport = UssdAnalytics['screens'][number];

/** Builds the report. Pure. */
function report({ screens, failedHops, uncounted }: Sums, time: ReportTime): UssdAnalytics {
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

export interface Analytics {
  readonly recorder: HopRecorder;
  readonly store: AnalyticsStore;
  readonly sessionTtlMs: number;
}

/** The report of the last hours, including the current one. Rejects if the store is unavailable. */
export async function readReport(analytics: Analytics, hours: number): Promise<UssdAnalytics> {
  const { sums, time } = await readSums(analytics, hours);
  return report(sums, time);
}

/** The maps of active flows, with the visits of the last hours. Rejects as `readReport` does. */
export async function readMap(analytics: Analytics, hours: number, of: MappedFlows): Promise<UssdFlowMap> {
  const { sums, time } = await readSums(analytics, hours);
  return {
    from: new Date(time.fromMs).toISOString(),
    to: new Date(time.nowMs).toISOString(),
    flows: of.flows.filter(isFirstOfVersion).map((flow) => mapFlow(flow, sums, of.facts)),
  };
}

export interface MappedFlows {
  readonly flows: readonly Flow[];
  readonly facts: Facts;
}

/** Revisions of one version differ in texts only. */
function isFirstOfVersion({ id, version }: Flow, index: number, all: readonly Flow[]): boolean {
  return all.findIndex((one) => one.id === id && one.version === version) === index;
}

/** Includes the pending counts of this process; other processes may be one flush behind. */
async function readSums({ recorder, store, sessionTtlMs }: Analytics, hours: number) {
  await recorder.flush();
  const nowMs = recorder.now();
  const lastHour = hourOf(nowMs);
  const firstHour = lastHour - hours + 1;
  const time: ReportTime = { fromMs: firstHour * hourMs, nowMs, sessionTtlMs };
  return { sums: sumUp(await store.read(firstHour, lastHour), time), time };
}
