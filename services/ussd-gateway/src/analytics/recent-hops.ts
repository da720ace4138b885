import { type HopOutcome, isOurFailure } from './hop-counts.js';

export interface RecentHopsOptions {
  readonly windowSeconds: number;
  /** Fewer hops in the window say nothing: one of one is no alarm. */
  readonly floor: number;
  /** In ms, from anywhere; does not jump. */
  readonly now?: () => number;
}

interface Part {
  /** Its number since the clock began. */
  at: number;
  answered: number;
  unanswered: number;
  failed: number;
}

/** The window moves on by this part of it. */
const partsOfWindow = 12;

/** How the hops of the last seconds went at this process. What is older is forgotten, so a bad state ends by itself when none come. */
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

  /** The share that got no screen, whatever the reason; undefined while they are too few to say. */
  get unanswered(): number | undefined {
    const { answered, unanswered } = this.#sums();
    const all = answered + unanswered;
    return all < this.#floor ? undefined : unanswered / all;
  }

  /**
   * Whether this process could serve nobody. Who was refused, or sent nothing that can be answered, does not count: strangers would
   * otherwise decide about the callers of a quiet hour.
   */
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

/** The check of readiness. @throws {Error} while this process could serve nobody. */
export function assertServing(recent: RecentHops): void {
  if (recent.isServingNone) throw new Error(`no hop of the last ${recent.windowSeconds} s could be served`);
}
