import type { Flow } from '../engine/flow.js';
import type { FlowSet } from './read-flow.js';

/** Most retired revisions that sessions may still use: the newest. */
const mostRetired = 100;

/** Flows of a service. A running session stays on its first revision. */
export class ActiveFlows {
  #dialled: FlowSet;
  #retired: readonly { readonly flow: Flow; readonly untilMs: number }[] = [];
  #all: FlowSet;
  readonly #retentionMs: number;
  readonly #clock: () => number;

  /** @param options.retentionMs longest time of a session without a hop, including its resume point. */
  constructor(flows: FlowSet, options: { retentionMs: number; clock: () => number }) {
    this.#dialled = flows;
    this.#all = flows;
    this.#retentionMs = options.retentionMs;
    this.#clock = options.clock;
  }

  get now(): FlowSet {
    return this.#all;
  }

  /** New dials begin on the first of these flows. */
  replace(flows: FlowSet): void {
    const revisions = (of: FlowSet) => of.map(({ revision }) => revision).join();
    if (revisions(flows) === revisions(this.#dialled)) return;
    const now = this.#clock();
    const served = new Set(flows.map(({ revision }) => revision));
    const left = this.#dialled.map((flow) => ({ flow, untilMs: now + this.#retentionMs }));
    this.#retired = [...left, ...this.#retired]
      .filter(({ flow, untilMs }) => untilMs > now && !served.has(flow.revision))
      .slice(0, mostRetired);
    this.#dialled = flows;
    this.#all = [...flows, ...this.#retired.map(({ flow }) => flow)];
  }
}
