export interface KeepaliveTimes {
  /** Time between two pings while streams are open, in ms. */
  readonly afterMs: number;
  /** Time for the peer's answer, in ms. */
  readonly timeoutMs: number;
}

export interface KeepaliveActions {
  /** Called each time, since the times may change. */
  readonly times: () => KeepaliveTimes;
  readonly ping: () => void;
  /** No answer arrived. */
  readonly onDead: () => void;
}

/**
 * Detects a silent connection. Pings are sent only while streams are open, since servers refuse clients that ping
 * without calls; a stream that opens after a long pause causes one at once. The answer to a sent ping is awaited, also
 * after the last stream: else calls with gaps between them would never detect the silence.
 *
 * Received bytes do not restart the interval, as in grpc-js: a ping that is pending when a connection becomes
 * silent detects the silence earlier, and servers do not count pings if they sent data between them.
 */
export class Keepalive {
  readonly #actions: KeepaliveActions;
  #state: 'waiting' | 'due' | 'pinging' | 'stopped' = 'waiting';
  /** A stream is open. */
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(actions: KeepaliveActions) {
    this.#actions = actions;
    this.#wait(actions.times().afterMs);
  }

  /** Data has arrived. */
  hear(): void {
    if (this.#state !== 'pinging') return;
    this.#state = 'waiting';
    this.#wait(this.#actions.times().afterMs);
  }

  /** A stream opened. */
  begin(): void {
    this.#isWanted = true;
    if (this.#state === 'due') this.#ping();
  }

  /** No stream is open. */
  rest(): void {
    this.#isWanted = false;
  }

  stop(): void {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
  }

  #check(): void {
    // Data received while the process was stopped is read first.
    if (this.#state === 'pinging') setImmediate(() => this.#state === 'pinging' && this.#actions.onDead());
    else if (this.#isWanted) this.#ping();
    else this.#state = 'due';
  }

  #ping(): void {
    this.#state = 'pinging';
    this.#wait(this.#actions.times().timeoutMs);
    this.#actions.ping();
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), ms);
    this.#timer.unref();
  }
}

/** The longest interval. */
const CALMEST_MS = 10 * 60_000;
/** A refusal is forgotten after this long, and then the one before it. */
const FORGIVEN_AFTER_MS = 10 * 60_000;

/**
 * The interval of keepalive pings. It doubles each time the node complains of too many pings, and is reset after a while
 * without complaints. Source: gRPC's client-side keepalive, which never resets.
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
