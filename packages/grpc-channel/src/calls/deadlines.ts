/** An item with a deadline, in ms of the clock of its deadlines. */
export interface HasDeadline {
  readonly endsAtMs: number;
  /** Its index in the list of deadlines. */
  index: number;
  late(): void;
}

/** The longest delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The deadlines of many calls on one timer, which is set for the first of them: nearly all calls end long before their deadlines,
 * and a timer for each would cost more than scanning the remaining ones.
 */
export class Deadlines {
  /** Milliseconds of a monotonic clock. */
  readonly #now: () => number;
  /** Not a set: deleted items may stay in a set's older tables, with everything they reference. */
  readonly #running: HasDeadline[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looksAtMs = Number.POSITIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(call: HasDeadline): void {
    call.index = this.#running.push(call) - 1;
    if (call.endsAtMs < this.#looksAtMs) this.#lookAt(call.endsAtMs);
  }

  /** Once, after it was added. */
  delete(call: HasDeadline): void {
    const last = this.#running.pop();
    if (last === undefined || last === call) return;
    last.index = call.index;
    this.#running[call.index] = last;
  }

  #look(): void {
    this.#looksAtMs = Number.POSITIVE_INFINITY;
    const now = this.#now();
    let firstMs = Number.POSITIVE_INFINITY;
    for (const call of Array.from(this.#running)) {
      if (call.endsAtMs <= now) call.late();
      else firstMs = Math.min(firstMs, call.endsAtMs);
    }
    // A call that was late may have been followed by another one.
    if (firstMs < this.#looksAtMs) this.#lookAt(firstMs);
  }

  #lookAt(atMs: number): void {
    this.#looksAtMs = atMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.min(atMs - this.#now(), MAX_TIMEOUT_MS));
    // A waiting call has another handle that keeps the process running.
    this.#timer.unref();
  }
}
