/** Decay of observations: after this time an observation counts a third. */
const DECAY_MS = 5000;

/**
 * Latency of a node: an average that rises at once with a slow reply and decays over time, so that a slow node is spared and
 * tried again later. Source: Finagle's and Linkerd's peak EWMA.
 */
export class PeakLatency {
  readonly #now: () => number;
  #averageMs = 0;
  #at = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  get ms(): number {
    return this.#averageMs * this.#weight(this.#now());
  }

  /** Records an answer's latency. @param now the current time, if known */
  record(tookMs: number, now = this.#now()): void {
    const weight = this.#weight(now);
    this.#averageMs = Math.max(tookMs, this.#averageMs * weight + tookMs * (1 - weight));
    this.#at = now;
  }

  /** Records a missing answer after this time; its latency is unknown. */
  missed(waitedMs: number): void {
    if (waitedMs > this.ms) this.record(waitedMs);
  }

  #weight(now: number): number {
    return Math.exp((this.#at - now) / DECAY_MS);
  }
}
