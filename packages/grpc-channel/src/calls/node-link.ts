import type { Duplex } from 'node:stream';
import { describeConnectProblem, type Outage } from '../connect-problem.js';
import type { Connection } from '../http2/connection.js';
import { ERROR } from '../http2/frames.js';
import { KeepalivePace, type KeepaliveTimes } from '../http2/keepalive.js';
import { Deadlines } from './deadlines.js';
import { type OpenOptions, openConnection } from './open-connection.js';

export interface NodeLinkOptions extends Omit<OpenOptions, 'keepalive'> {
  readonly keepalive: KeepaliveTimes;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Maximum open connections. A second one is opened when the node accepts no more calls on the first. */
  readonly maxConnections: number;
  /** A further connection is closed after this idle time, in ms; up to twice as long, because it is checked periodically. */
  readonly idleMs: number;
  readonly backoff: { readonly firstMs: number; readonly lastMs: number };
  /** From 0 to 1: spreads the attempts of many processes. */
  readonly random: () => number;
  /**
   * Called with the cause when the node becomes unreachable or the cause changes, and with `undefined` when it is reachable
   * again.
   */
  readonly onOutage: (outage: Outage | undefined) => void;
  /** Whether the node's name no longer resolves to this socket's address. Called periodically. */
  readonly hasDnsChanged?: ((socket: Duplex) => Promise<boolean>) | undefined;
  /** Time between two such checks, in ms. */
  readonly dnsIntervalMs: number;
}

const BACKOFF_FACTOR = 1.6;
const CLOSING = 'the channel is closing';

/**
 * The connections to one node. The first is opened by the first call, and again when a call needs it; more are opened if the
 * node accepts no further calls on the open ones. While the node is unreachable, calls fail at once and reconnects continue in
 * the background.
 */
export class NodeLink {
  /** The deadlines of all calls to the node. */
  readonly deadlines: Deadlines;
  readonly now: () => number;
  readonly #options: NodeLinkOptions;
  readonly #waiting = new CallQueue();
  readonly #open = new Set<Connection>();
  /** The connections that accept calls, the oldest first. */
  #usable: readonly Connection[] = [];
  readonly #sockets = new WeakMap<Connection, Duplex>();
  #isConnecting = false;
  /** The new connection is to another address and replaces the open ones. */
  #isMoving = false;
  #isClosed = false;
  #outage: Outage | undefined;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  #resolveTimer: NodeJS.Timeout | undefined;
  #trim: NodeJS.Timeout | undefined;
  #idle: ReadonlySet<Connection> = new Set();
  /** After the node refused a further connection, none is opened before this time. */
  #nextExtraConnectionAt = 0;
  readonly #pace: KeepalivePace;

  constructor(options: NodeLinkOptions) {
    this.#options = options;
    this.now = options.now;
    this.deadlines = new Deadlines(options.now);
    this.#pace = new KeepalivePace(options.keepalive);
  }

  /** Starts the waiter on a connection with room, now or when there is one, or gives it up. */
  join(waiter: Waiter): void {
    const connection = this.#withRoom();
    const reason = this.#isClosed ? CLOSING : this.#outage?.reason;
    if (connection !== undefined) waiter.start(connection);
    else if (reason !== undefined) waiter.giveUp(reason);
    else {
      this.#waiting.add(waiter);
      this.#connectIfNeeded();
    }
  }

  leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
  }

  /** Sends further calls over new connections; running calls continue on the old ones. */
  reconnect(): void {
    for (const connection of this.#usable) connection.retire();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#resolveTimer);
    clearInterval(this.#trim);
    for (const connection of Array.from(this.#open)) connection.fail(new Error(CLOSING));
    this.#waiting.failAll(CLOSING);
  }

  #withRoom(): Connection | undefined {
    for (const connection of this.#usable) if (connection.hasRoom) return connection;
    return undefined;
  }

  /** Opens a connection if there is none, or none that accepts a further call. */
  #connectIfNeeded(): void {
    if (this.#isConnecting || this.#isClosed) return;
    if (this.#usable.length === 0 || this.#mayAddConnection()) this.#connect();
  }

  #mayAddConnection(): boolean {
    const { maxConnections, now } = this.#options;
    const isTime = this.#usable.length < maxConnections && now() >= this.#nextExtraConnectionAt;
    return isTime && this.#usable.every(({ isFull }) => isFull);
  }

  #connect(): void {
    this.#isConnecting = true;
    const keepalive = (): KeepaliveTimes => this.#pace.times(this.#options.now());
    openConnection(
      { ...this.#options, keepalive },
      {
        began: (connection) => void this.#open.add(connection),
        arrived: (connection, socket) => this.#arrive(connection, socket),
        failed: (error) => this.#fail(describeConnectProblem(error)),
        room: () => this.#serve(),
        draining: (connection, code) => {
          if (code === ERROR.enhanceYourCalm) this.#pace.refuse(this.#options.now());
          this.#lose(connection);
        },
        closed: (connection) => {
          this.#open.delete(connection);
          this.#lose(connection);
        },
      },
    );
  }

  #arrive(connection: Connection, socket: Duplex): void {
    this.#isConnecting = false;
    this.#attempts = 0;
    if (this.#isClosed) {
      connection.fail(new Error(CLOSING));
      return;
    }
    const before = this.#usable;
    this.#usable = this.#isMoving ? [connection] : [...before, connection];
    if (this.#isMoving) for (const old of before) old.retire();
    this.#isMoving = false;
    this.#sockets.set(connection, socket);
    this.#resolveTimer ??= setInterval(() => void this.#moveToNewAddress(), this.#options.dnsIntervalMs).unref();
    this.#trim ??= setInterval(() => this.#closeIdle(), this.#options.idleMs).unref();
    if (this.#outage !== undefined) {
      this.#outage = undefined;
      this.#options.onOutage(undefined);
    }
    this.#serve();
  }

  /** Moves to the name's new address, once connected: until then the old connections are used. */
  async #moveToNewAddress(): Promise<void> {
    const [oldest] = this.#usable;
    const socket = oldest === undefined ? undefined : this.#sockets.get(oldest);
    const hasDnsChanged = socket !== undefined && (await this.#options.hasDnsChanged?.(socket)) === true;
    if (!hasDnsChanged || this.#usable[0] !== oldest || this.#isConnecting || this.#isClosed) return;
    this.#isMoving = true;
    this.#connect();
  }

  /** Closes further connections that were idle at the last check, too. */
  #closeIdle(): void {
    const idle = this.#usable.slice(1).filter(({ isIdle }) => isIdle);
    for (const connection of idle) if (this.#idle.has(connection)) connection.retire();
    this.#idle = new Set(idle);
  }

  #lose(connection: Connection): void {
    if (!this.#usable.includes(connection)) return;
    this.#usable = this.#usable.filter((other) => other !== connection);
    if (!this.#waiting.isEmpty) this.#connectIfNeeded();
  }

  #fail(outage: Outage): void {
    this.#isConnecting = false;
    this.#isMoving = false;
    if (this.#isClosed) return;
    const { firstMs, lastMs } = this.#options.backoff;
    if (this.#usable.length > 0) {
      this.#nextExtraConnectionAt = this.#options.now() + lastMs;
      return;
    }
    const isNews = this.#outage?.reason !== outage.reason;
    this.#outage = outage;
    if (isNews) this.#options.onOutage(outage);
    this.#waiting.failAll(outage.reason);
    const delayMs = Math.min(lastMs, firstMs * BACKOFF_FACTOR ** this.#attempts) * (0.8 + 0.4 * this.#options.random());
    this.#attempts += 1;
    this.#timer = setTimeout(() => this.#connect(), delayMs);
    this.#timer.unref();
  }

  #serve(): void {
    if (this.#waiting.isEmpty) return;
    this.#waiting.serve(() => this.#withRoom());
    if (!this.#waiting.isEmpty) this.#connectIfNeeded();
  }
}

/** A call that waits for a connection with room for it. */
export interface Waiter {
  start(connection: Connection): void;
  giveUp(reason: string): void;
}

/** Calls that wait for room, the first one first. */
class CallQueue {
  readonly #waiters = new Set<Waiter>();

  get isEmpty(): boolean {
    return this.#waiters.size === 0;
  }

  add(waiter: Waiter): void {
    this.#waiters.add(waiter);
  }

  delete(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  /** Starts waiters while there is room. */
  serve(withRoom: () => Connection | undefined): void {
    for (const waiter of this.#waiters) {
      const connection = withRoom();
      if (connection === undefined) return;
      this.#waiters.delete(waiter);
      waiter.start(connection);
    }
  }

  failAll(reason: string): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter.giveUp(reason);
  }
}
