import type { RealtimeLimits } from './limits.js';

/** How many events one socket may send: a bucket that fills at a steady rate. */
export class EventBudget {
  readonly #rate: RealtimeLimits['events'];
  readonly #nowMs: () => number;
  #left: number;
  #filledAtMs: number;

  constructor(rate: RealtimeLimits['events'], nowMs: () => number) {
    this.#rate = rate;
    this.#nowMs = nowMs;
    this.#left = rate.burst;
    this.#filledAtMs = nowMs();
  }

  /** False when the socket has sent more than it may. */
  spend(): boolean {
    const now = this.#nowMs();
    const filled = this.#left + ((now - this.#filledAtMs) / 1000) * this.#rate.perSecond;
    this.#left = Math.min(this.#rate.burst, filled) - 1;
    this.#filledAtMs = now;
    return this.#left >= 0;
  }
}
