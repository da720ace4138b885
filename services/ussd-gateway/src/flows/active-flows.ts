import type { Flow } from '../engine/flow.js';
import type { FlowSet } from './read-flow.js';

/** Revisions that are no longer dialled and that sessions may be on: so many at most, the newest. */
const mostRetired = 100;

/** The flows of a service. A session under way stays on the revision it began with. */
export class ActiveFlows {
  #dialled: FlowSet;
  #retired: readonly { readonly flow: Flow; readonly untilMs: number }[] = [];
  #all: FlowSet;
  readonly #keptMs: number;
  readonly #clock: () => number;

  /** @param options.keptMs how long a session may go without a hop, its lost place included. */
  constructor(flows: FlowSet, options: { keptMs: number; clock: () => number }) {
    this.#dialled = flows;
    this.#all = flows;
    this.#keptMs = options.keptMs;
    this.#clock = options.clock;
  }

  get now(): FlowSet {
    return this.#all;
  }

  /** Dials begin on the first of these from now on. */
  replace(flows: FlowSet): void {
    const revisions = (of: FlowSet) => of.map(({ revision }) => revision).join();
    if (revisions(flows) === revisions(this.#dialled)) return;
    const now = this.#clock();
    const served = new Set(flows.map(({ revision }) => revision));
    const left = this.#dialled.map((flow) => ({ flow, untilMs: now + this.#keptMs }));
    this.#retired = [...left, ...this.#retired]
      .filter(({ flow, untilMs }) => untilMs > now && !served.has(flow.revision))
      .slice(0, mostRetired);
    this.#dialled = flows;
    this.#all = [...flows, ...this.#retired.map(({ flow }) => flow)];
  }
}
