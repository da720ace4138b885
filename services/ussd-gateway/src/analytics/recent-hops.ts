import { Readiness } from '@mlango/service-kit/health';
import { type HopOutcome, isOurFailure } from './hop-metrics.js';

export interface RecentHopsOptions {
  readonly windowSeconds: number;
  /** With fewer hops in the window there is no verdict. */
  readonly floor: number;
  /** Monotonic, in ms. */
  readonly now?: () => number;
}

interface Part {
  /** Its number since the start of the clock. */
  at: number;
  answered: number;
  unanswered: number;
  failed: number;
}

/** The window has this many parts. */
const partsOfWindow = 12;

/** Outcomes of recent hops in this process. Older hops are dropped, so that a bad state ends by itself without traffic. */
export class RecentHops {
  readonly windowSeconds: number;
  readonly #floor: number;
  readonly #now: () => number;
  readonly #partMs: number;
  readonly #parts: Part[];

  constructor({ windowSeconds, floor, now = () => performance.now() }: RecentHopsOptions) {
    this.windowSeconds = windowSeconds;
    this.#floor = floor;
    this.#now = now;
    this.#partMs = (windowSeconds * 1000) / partsOfWindow;
    this.#parts = Array.from({ length: partsOfWindow }, () => ({ at: -1, answered: 0, unanswered: 0, failed: 0 }));
  }

  record(outcome: HopOutcome): void {
    const at = this.#at();
    const part = this.#parts[at % partsOfWindow];
    if (part === undefined) return;
    if (part.at !== at) Object.assign(part, { at, answered: 0, unanswered: 0, failed: 0 });
    if (outcome === 'answered') part.answered += 1;
    else part.unanswered += 1;
    if (isOurFailure(outcome)) part.failed += 1;
  }

  /** The share of hops without a screen, for any reason; undefined with too few hops. */
  get unanswered(): number | undefined {
    const { answered, unanswered } = this.#sums();
    const all = answered + unanswered;
    return all < this.#floor ? undefined : unanswered / all;
  }

  /** Whether no hop succeeded. Refused and invalid hops do not count: unknown callers must not decide readiness in a quiet hour. */
  get isServingNone(): boolean {
    const { answered, failed } = this.#sums();
    return answered === 0 && failed >= this.#floor;
  }

  #at(): number {
    return Math.floor(this.#now() / this.#partMs);
  }

  #sums() {
    const sums = { answered: 0, unanswered: 0, failed: 0 };
    const oldest = this.#at() - partsOfWindow;
    for (const { at, answered, unanswered, failed } of this.#parts) {
      if (at <= oldest) continue;
      sums.answered += answered;
      sums.unanswered += unanswered;
      sums.failed += failed;
    }
    return sums;
  }
}

/**
 * The check of `GET /ready`: fails while no hop succeeds, until the failed hops leave the window. Back ends do not affect it: without
 * them this process still answers a hop with a screen, which a proxy could not.
 */
export function hopReadiness(recent: RecentHops): Readiness {
  return new Readiness({
    hops: async () => {
      if (recent.isServingNone) throw new Error(`no hop of the last ${recent.windowSeconds} s succeeded`);
    },
  });
}
