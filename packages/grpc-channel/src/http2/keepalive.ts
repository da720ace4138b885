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
 * Finds out that the other side is gone although nobody said so. It asks only while streams are open, since servers
 * refuse clients that ping for nothing; a stream that opens after a long silence makes it ask at once.
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

  /** No stream is open. The timer goes on, since most connections have one again before it ends. */
  rest(): void {
    this.#isWanted = false;
    if (this.#isAsked) this.stop();
  }

  stop(): void {
    this.#isWanted = false;
    this.#isAsked = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    this.#timer = undefined;
    if (!this.#isWanted) return;
    const { afterMs, timeoutMs } = this.#actions.times();
    const silentMs = this.#actions.now() - this.#heardAt;
    if (this.#isAsked) this.#actions.onDead();
    else if (silentMs < afterMs) this.#wait(afterMs - silentMs);
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
