import type { UssdAnalytics } from '@mlango/schemas/ussd-analytics';
import type { UssdFlowMap } from '@mlango/schemas/ussd-flow-map';
import type { Facts, Flow } from '../engine/flow.js';
import type { AnsweredHop } from '../sessions/run-hop.js';
import { countOf, hourMs, hourOf, type SummedCount, slotMs } from './count.js';
import type { CountBuffer } from './count-buffer.js';
import type { CountStore } from './count-store.js';
import { countsOfHop } from './hop-to-counts.js';
import { mapFlow } from './map-flow.js';
import { screenReport } from './report.js';

export interface AnalyticsParts {
  readonly buffer: CountBuffer;
  readonly store: Pick<CountStore, 'read'>;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
  readonly sessionTtlMs: number;
  /** Records the time to an answer, for the metrics of this process. */
  readonly onAnswer: (ms: number) => void;
}

/** The counts of one tenant: records its hops, and reads the counts of all processes. */
export class Analytics {
  readonly #tenant: string;
  readonly #parts: AnalyticsParts;

  constructor(tenant: string, parts: AnalyticsParts) {
    this.#tenant = tenant;
    this.#parts = parts;
  }

  /** Counts an answered hop. Neither waits nor throws. */
  record(hop: AnsweredHop): void {
    const { buffer, clock, onAnswer } = this.#parts;
    onAnswer(hop.answerMs);
    for (const count of countsOfHop(hop, clock())) buffer.add(this.#tenant, count);
  }

  /** Counts a hop without a screen, by a failure of the gateway. */
  recordFailure(): void {
    const { buffer, clock } = this.#parts;
    buffer.add(this.#tenant, countOf('failed', 1, clock()));
  }

  /** The report of the last hours, including the current one. Rejects if the store is unavailable. */
  async report(hours: number): Promise<UssdAnalytics> {
    const { counts, period } = await this.#read(hours);
    return { ...period, ...screenReport(counts) };
  }

  /** The maps of active flows, with the visits of the last hours. Rejects as `report` does. */
  async map(hours: number, of: { readonly flows: readonly Flow[]; readonly facts: Facts }): Promise<UssdFlowMap> {
    const { counts, period } = await this.#read(hours);
    return { ...period, flows: of.flows.filter(isFirstOfVersion).map((flow) => mapFlow(flow, counts, of.facts)) };
  }

  /** Includes the latest counts of this process; those of other processes may miss one flush. */
  async #read(hours: number): Promise<{ counts: readonly SummedCount[]; period: { from: string; to: string } }> {
    const { buffer, store, clock, sessionTtlMs } = this.#parts;
    await buffer.flush();
    const nowMs = clock();
    const toHour = hourOf(nowMs);
    const fromHour = toHour - hours + 1;
    const firstOpenSlot = Math.floor((nowMs - sessionTtlMs) / slotMs);
    const counts = await store.read(this.#tenant, { fromHour, toHour, firstOpenSlot });
    const period = { from: new Date(fromHour * hourMs).toISOString(), to: new Date(nowMs).toISOString() };
    return { counts, period };
  }
}

/** Revisions of one version differ in texts only. */
function isFirstOfVersion({ id, version }: Flow, index: number, all: readonly Flow[]): boolean {
  return all.findIndex((one) => one.id === id && one.version === version) === index;
}
