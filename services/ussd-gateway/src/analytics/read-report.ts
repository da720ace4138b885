import type { UssdAnalytics } from '@mlango/schemas/ussd-analytics';
import type { AnalyticsStore } from './analytics-store.js';
import { hourMs, hourOf } from './counts.js';
import type { HopRecorder } from './hop-recorder.js';
import { report } from './report.js';

export interface Analytics {
  readonly recorder: HopRecorder;
  readonly store: AnalyticsStore;
  readonly sessionTtlMs: number;
}

/**
 * The report of so many hours, the current one included. What this process has counted is in it; other processes may be
 * a flush behind. Rejects when the store cannot be reached.
 */
export async function readReport({ recorder, store, sessionTtlMs }: Analytics, hours: number): Promise<UssdAnalytics> {
  await recorder.flush();
  const nowMs = recorder.now();
  const lastHour = hourOf(nowMs);
  const firstHour = lastHour - hours + 1;
  const counts = await store.read(firstHour, lastHour);
  return report(counts, { fromMs: firstHour * hourMs, nowMs, sessionTtlMs });
}
