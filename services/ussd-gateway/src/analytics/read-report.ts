import type { UssdAnalytics } from '@mlango/schemas/ussd-analytics';
import type { UssdFlowMap } from '@mlango/schemas/ussd-flow-map';
import type { Facts, Flow } from '../engine/flow.js';
import type { AnalyticsStore } from './analytics-store.js';
import { hourMs, hourOf } from './counts.js';
import type { HopRecorder } from './hop-recorder.js';
import { mapFlow } from './map-flow.js';
import { report } from './report.js';
import { type ReportTime, sumUp } from './sums.js';

export interface Analytics {
  readonly recorder: HopRecorder;
  readonly store: AnalyticsStore;
  readonly sessionTtlMs: number;
}

/** The report of so many hours, the current one included. Rejects when the store cannot be reached. */
export async function readReport(analytics: Analytics, hours: number): Promise<UssdAnalytics> {
  const { sums, time } = await readSums(analytics, hours);
  return report(sums, time);
}

/** The flows in service, with who went which way in so many hours. Rejects as `readReport` does. */
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

/** Revisions of one version differ in texts alone. */
function isFirstOfVersion({ id, version }: Flow, index: number, all: readonly Flow[]): boolean {
  return all.findIndex((one) => one.id === id && one.version === version) === index;
}

/** What this process has counted is in it; other processes may be a flush behind. */
async function readSums({ recorder, store, sessionTtlMs }: Analytics, hours: number) {
  await recorder.flush();
  const nowMs = recorder.now();
  const lastHour = hourOf(nowMs);
  const firstHour = lastHour - hours + 1;
  const time: ReportTime = { fromMs: firstHour * hourMs, nowMs, sessionTtlMs };
  return { sums: sumUp(await store.read(firstHour, lastHour), time), time };
}
