import type { KeepaliveTimes } from './keepalive.js';

/** As seldom as it gets. */
const CALMEST_MS = 10 * 60_000;
/** A refusal is forgotten after this long, and then the one before it. */
const FORGIVEN_AFTER_MS = 10 * 60_000;

/**
 * How often a node is asked whether it is there. One that is told that it pings too much asks half as often each time, and
 * as often as before when it was not told so for a while. Source: gRPC's client-side keepalive, which never forgets.
 */
export class KeepalivePace {
  readonly #base: KeepaliveTimes;
  readonly #most: number;
  #refusals = 0;
  #refusedAt = 0;

  constructor(base: KeepaliveTimes) {
    this.#base = base;
    this.#most = Math.max(0, Math.ceil(Math.log2(CALMEST_MS / base.afterMs)));
  }

  refuse(now: number): void {
    this.#refusals = Math.min(this.#most, this.#left(now) + 1);
    this.#refusedAt = now;
  }

  times(now: number): KeepaliveTimes {
    const afterMs = Math.min(this.#base.afterMs * 2 ** this.#left(now), Math.max(CALMEST_MS, this.#base.afterMs));
    return { afterMs, timeoutMs: this.#base.timeoutMs };
  }

  #left(now: number): number {
    return Math.max(0, this.#refusals - Math.floor((now - this.#refusedAt) / FORGIVEN_AFTER_MS));
  }
}
