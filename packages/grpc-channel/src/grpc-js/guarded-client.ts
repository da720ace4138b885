import type { Client, connectivityState } from '@grpc/grpc-js';
import { describeConnectProblem, type Outage } from '../connect-problem.js';

export interface GuardedClientOptions {
  /** The state of a channel that is connected. */
  readonly ready: connectivityState.READY;
  /** Creates an unconnected client. */
  readonly open: () => Client;
  /** Time to establish a connection, from the first byte to the HTTP/2 settings of the node. */
  readonly connectTimeoutMs: number;
  /**
   * Called with the cause when the node becomes unreachable or the cause changes, and with `undefined` when it is reachable
   * again.
   */
  readonly onOutage?: ((outage: Outage | undefined) => void) | undefined;
}

const nothing = (): void => {};

/**
 * A grpc-js client that detects an unreachable node. By itself grpc-js connects for as long as the system allows, minutes if
 * packets are dropped, and calls wait until their deadline.
 * After the connection timeout, waiting calls fail and later ones are refused, while a fresh client reconnects until the node
 * responds.
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

  /** The client for a new call; `undefined` while the node is unreachable, and after `close`. */
  take(): Client | undefined {
    if (this.#isReady()) return this.#client;
    if (this.#isClosed) return undefined;
    if (!this.#isConnecting) this.#connect();
    return this.#outage === undefined ? this.#client : undefined;
  }

  /** Calls `giveUp` when the pending connection fails. The returned function ends that. */
  onceUnavailable(giveUp: () => void): () => void {
    if (this.#isReady()) return nothing;
    this.#waiting.add(giveUp);
    return () => this.#waiting.delete(giveUp);
  }

  /** The text of a failed call gives the cause before the connection timeout. */
  note(details: string): void {
    const [, lastError] = /^No connection established\. Last error: (.*)/s.exec(details) ?? [];
    if (lastError !== undefined) this.#setOutage(describeConnectProblem({ message: lastError }));
  }

  /** Sends further calls over a new client; running calls continue on the old one. */
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
      this.#setOutage(undefined);
      this.#waiting.clear();
      return;
    }
    channel.watchConnectivityState(state, deadline, (error) => {
      if (this.#isClosed || client !== this.#client) return;
      if (error === undefined) this.#watch(client, deadline);
      else this.#giveUp();
    });
  }

  /** The attempt may hang for minutes, so the next one gets a new client. */
  #giveUp(): void {
    const old = this.#client;
    this.#setOutage({ problem: 'other', reason: `no connection within ${this.#options.connectTimeoutMs} ms` });
    this.#client = this.#options.open();
    for (const giveUp of Array.from(this.#waiting)) giveUp();
    this.#waiting.clear();
    old.close();
    this.#connect();
  }

  #setOutage(outage: Outage | undefined): void {
    // A timeout has less information than an earlier cause.
    const isLess = this.#outage !== undefined && outage?.problem === 'other';
    if (isLess || outage?.reason === this.#outage?.reason) return;
    this.#outage = outage;
    this.#options.onOutage?.(outage);
  }
}
