export interface KeepaliveTimes {
  /** How long the other side may be silent before it is asked whether it is there, in ms. */
  readonly afterMs: number;
  /** How long it has for the answer, in ms. */
  readonly timeoutMs: number;
}

export interface KeepaliveActions {
  /** Asked each time, since they may change. */
  readonly times: () => KeepaliveTimes;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly ping: () => void;
  /** No answer came. */
  readonly onDead: () => void;
}

/**
 * Detects a connection that went silent. A ping is sent only while streams are open, since servers refuse clients that
 * ping without calls; a stream that opens after a long silence causes one at once. A ping that was sent is awaited to
 * its end, also when no stream is open any more: calls with gaps between them would never notice the silence otherwise.
 */
export class Keepalive {
  readonly #actions: KeepaliveActions;
  #heardAt: number;
  #isAsked = false;
  /** A stream is open. */
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(actions: KeepaliveActions) {
    this.#actions = actions;
    this.#heardAt = actions.now();
  }

  /** Something came. */
  hear(): void {
    this.#heardAt = this.#actions.now();
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#wait(this.#actions.times().afterMs);
  }

  /** A stream opened. */
  begin(): void {
    this.#isWanted = true;
    if (this.#timer === undefined) this.#check();
  }

  /** No stream is open. The timer and an unanswered ping stay. */
  rest(): void {
    this.#isWanted = false;
  }

  stop(): void {
    this.#isWanted = false;
    this.#isAsked = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#isAsked) {
      this.#actions.onDead();
      return;
    }
    if (!this.#isWanted) return;
    const { afterMs, timeoutMs } = this.#actions.times();
    const silentMs = this.#actions.now() - this.#heardAt;
    if (silentMs < afterMs) this.#wait(afterMs - silentMs);
    else {
      this.#isAsked = true;
      this.#wait(timeoutMs);
      this.#actions.ping();
    }
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), ms);
    this.#timer.unref();
  }
}
