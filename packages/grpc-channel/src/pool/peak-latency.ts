/** How fast what was seen is forgotten: after so long it counts a third. */
const DECAY_MS = 5000;

/**
 * Latency of a node: an average that rises at once with a slow reply and decays over time, so that a slow node is spared and
 * tried again later. Source: Finagle's and Linkerd's peak EWMA.
 */
export class PeakLatency {
  readonly #now: () => number;
  #averageMs = 0;
  #at = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
  }

  get ms(): number {
    return this.#averageMs * this.#weight(this.#now());
  }

  /** An answer took that long. @param now where that is known */
  saw(tookMs: number, now = this.#now()): void {
    const weight = this.#weight(now);
    this.#averageMs = Math.max(tookMs, this.#averageMs * weight + tookMs * (1 - weight));
    this.#at = now;
  }

  /** No answer came for that long; when one would have come is not known. */
  missed(waitedMs: number): void {
    if (waitedMs > this.ms) this.saw(waitedMs);
  }

  #weight(now: number): number {
    return Math.exp((this.#at - now) / DECAY_MS);
  }
}
