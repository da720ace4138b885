import type { Client, connectivityState } from '@grpc/grpc-js';
import { describeConnectProblem, type Outage } from '../connect-problem.js';

export interface GuardedClientOptions {
  /** The state of a channel that is connected. */
  readonly ready: connectivityState.READY;
  /** Makes a client that has not connected yet. */
  readonly open: () => Client;
  /** Time for a connection to come about, from the first byte to the HTTP/2 settings of the node. */
  readonly connectTimeoutMs: number;
  /** Called with what is wrong when the node cannot be reached, again when that changes, and with `undefined` when it is back. */
  readonly onOutage?: ((outage: Outage | undefined) => void) | undefined;
}

const nothing = (): void => {};

/**
 * A grpc-js client that knows when its node is away. Left to itself the channel connects for as long as the system
 * lets it, minutes with a node that drops packets, and calls wait for it until their deadline.
 *
 * When no connection came about in time, waiting calls are given up and later ones refused, while a fresh client
 * tries again, and again, until the node answers.
 */
export class GuardedClient {
  readonly #options: GuardedClientOptions;
  readonly #waiting = new Set<() => void>();
  #client: Client;
  #outage: Outage | undefined;
  #isConnecting = false;
  #isClosed = false;

  constructor(options: GuardedClientOptions) {
    this.#options = options;
    this.#client = options.open();
  }

  /** The client for a call that starts now; `undefined` when the node is known to be away, and after `close`. */
  take(): Client | undefined {
    if (this.#isReady()) return this.#client;
    if (this.#isClosed) return undefined;
    if (!this.#isConnecting) this.#connect();
    return this.#outage === undefined ? this.#client : undefined;
  }

  /** Calls `giveUp` when the connection that is being made fails to come about. The function returned ends that. */
  onceUnavailable(giveUp: () => void): () => void {
    if (this.#isReady()) return nothing;
    this.#waiting.add(giveUp);
    return () => this.#waiting.delete(giveUp);
  }

  /** The text of a call that failed tells why there is no connection before the time for one is over. */
  note(details: string): void {
    const [, lastError] = /^No connection established\. Last error: (.*)/s.exec(details) ?? [];
    if (lastError !== undefined) this.#setAway(describeConnectProblem({ message: lastError }));
  }

  /** Makes further calls over a fresh client; calls under way go on over the old one. */
  reconnect(): void {
    if (this.#isClosed || !this.#isReady()) return;
    const old = this.#client;
    this.#client = this.#options.open();
    old.close();
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#client.close();
  }

  #isReady(): boolean {
    return this.#client.getChannel().getConnectivityState(false) === this.#options.ready;
  }

  #connect(): void {
    this.#isConnecting = true;
    this.#watch(this.#client, Date.now() + this.#options.connectTimeoutMs);
  }

  #watch(client: Client, deadline: number): void {
    const channel = client.getChannel();
    const state = channel.getConnectivityState(true);
    if (state === this.#options.ready) {
      this.#isConnecting = false;
      this.#setAway(undefined);
      this.#waiting.clear();
      return;
    }
    channel.watchConnectivityState(state, deadline, (error) => {
      if (this.#isClosed || client !== this.#client) return;
      if (error === undefined) this.#watch(client, deadline);
      else this.#giveUp();
    });
  }

  /** The attempt may hang for minutes, so the next one gets a client of its own. */
  #giveUp(): void {
    const old = this.#client;
    this.#setAway({ problem: 'other', reason: `no connection within ${this.#options.connectTimeoutMs} ms` });
    this.#client = this.#options.open();
    for (const giveUp of [...this.#waiting]) giveUp();
    this.#waiting.clear();
    old.close();
    this.#connect();
  }

  #setAway(outage: Outage | undefined): void {
    // That the time for a connection is over says less than what was known before.
    const isLess = this.#outage !== undefined && outage?.problem === 'other';
    if (isLess || outage?.reason === this.#outage?.reason) return;
    this.#outage = outage;
    this.#options.onOutage?.(outage);
  }
}
