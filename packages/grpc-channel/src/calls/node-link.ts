import type { Duplex } from 'node:stream';
import { type Away, describeConnectProblem } from '../connect-problem.js';
import { Connection } from '../http2/connection.js';
import { ERROR } from '../http2/frames.js';
import type { KeepaliveTimes } from '../http2/keepalive.js';
import { KeepalivePace } from '../http2/keepalive-pace.js';

export interface NodeLinkOptions {
  /** Opens a socket that calls `onOpen` when HTTP/2 can be spoken over it. */
  readonly connect: (onOpen: () => void) => Duplex;
  /** Time for a connection to come about, from the first byte to the settings of the node. */
  readonly connectTimeoutMs: number;
  readonly keepalive: KeepaliveTimes;
  readonly backoff: { readonly firstMs: number; readonly lastMs: number };
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** From 0 to 1: spreads the attempts of many processes. */
  readonly random: () => number;
  /** Told once what is wrong when the node turns out to be away, and once, with `undefined`, when it is back. */
  readonly onAway: (away: Away | undefined) => void;
  /** Whether the name of the node leads elsewhere by now than where this socket goes; it is asked now and then. */
  readonly hasMoved?: ((socket: Duplex) => Promise<boolean>) | undefined;
  /** Time between two such questions, in ms. */
  readonly lookAgainMs: number;
}

/** A call that waits for a connection with room for it. */
export interface Waiter {
  start(connection: Connection): void;
  giveUp(reason: string): void;
}

const BACKOFF_FACTOR = 1.6;
const CLOSING = 'the channel is closing';

/**
 * The connection to one node. It is made with the first call, and again when a call needs it; while the node is away,
 * calls are refused at once and attempts go on by themselves.
 */
export class NodeLink {
  readonly #options: NodeLinkOptions;
  readonly #waiting = new Set<Waiter>();
  readonly #open = new Set<Connection>();
  #current: Connection | undefined;
  #isConnecting = false;
  #isClosed = false;
  #away: Away | undefined;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  #lookAgain: NodeJS.Timeout | undefined;
  readonly #pace: KeepalivePace;

  constructor(options: NodeLinkOptions) {
    this.#options = options;
    this.#pace = new KeepalivePace(options.keepalive);
  }

  /** Starts the waiter on a connection with room, now or when there is one, or gives it up. */
  join(waiter: Waiter): void {
    if (this.#current?.hasRoom === true) {
      waiter.start(this.#current);
      return;
    }
    if (this.#isClosed || this.#away !== undefined) {
      waiter.giveUp(this.#away?.reason ?? CLOSING);
      return;
    }
    this.#waiting.add(waiter);
    if (this.#current === undefined && !this.#isConnecting) this.#connect();
  }

  leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#lookAgain);
    for (const connection of [...this.#open]) connection.fail(new Error(CLOSING));
    this.#giveUpAll(CLOSING);
  }

  #connect(): void {
    this.#isConnecting = true;
    const { connectTimeoutMs } = this.#options;
    let connection: Connection | undefined;
    let isSettled = false;
    const socket = this.#options.connect(() => {
      if (!isSettled) connection = this.#speak(socket, ready, failed);
    });
    const ready = (): void => {
      isSettled = true;
      clearTimeout(timer);
      if (connection !== undefined) this.#arrive(connection, socket);
    };
    const failed = (error: Error): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      socket.destroy();
      this.#fail(describeConnectProblem(error));
    };
    const timer = setTimeout(() => failed(new Error(`no connection within ${connectTimeoutMs} ms`)), connectTimeoutMs);
    socket.on('error', failed);
    socket.on('close', () => failed(new Error('the connection was closed before it was one')));
  }

  #speak(socket: Duplex, ready: () => void, failed: (error: Error) => void): Connection {
    const connection = new Connection(socket, {
      keepalive: () => this.#pace.times(this.#options.now()),
      now: this.#options.now,
      onReady: ready,
      onRoom: () => this.#serve(),
      onDraining: (code) => {
        if (code === ERROR.enhanceYourCalm) this.#pace.refuse(this.#options.now());
        this.#lose(connection);
      },
      onClosed: (reason) => {
        this.#open.delete(connection);
        failed(reason);
        this.#lose(connection);
      },
    });
    this.#open.add(connection);
    return connection;
  }

  #arrive(connection: Connection, socket: Duplex): void {
    this.#isConnecting = false;
    this.#attempts = 0;
    if (this.#isClosed) {
      connection.fail(new Error(CLOSING));
      return;
    }
    const before = this.#current;
    this.#current = connection;
    before?.retire();
    this.#follow(connection, socket);
    if (this.#away !== undefined) {
      this.#away = undefined;
      this.#options.onAway(undefined);
    }
    this.#serve();
  }

  /** Goes over to where the name leads, once there is a connection: until then the old one does. */
  #follow(connection: Connection, socket: Duplex): void {
    const { hasMoved, lookAgainMs } = this.#options;
    clearInterval(this.#lookAgain);
    if (hasMoved === undefined) return;
    const look = async (): Promise<void> => {
      const isNews = (await hasMoved(socket)) && this.#current === connection;
      if (isNews && !this.#isConnecting && !this.#isClosed) this.#connect();
    };
    this.#lookAgain = setInterval(() => void look(), lookAgainMs);
    this.#lookAgain.unref();
  }

  #lose(connection: Connection): void {
    if (this.#current !== connection) return;
    this.#current = undefined;
    if (this.#waiting.size > 0 && !this.#isConnecting && !this.#isClosed) this.#connect();
  }

  #fail(away: Away): void {
    this.#isConnecting = false;
    if (this.#isClosed || this.#current !== undefined) return;
    const isNews = this.#away === undefined;
    this.#away = away;
    if (isNews) this.#options.onAway(away);
    this.#giveUpAll(away.reason);
    const { firstMs, lastMs } = this.#options.backoff;
    const delayMs = Math.min(lastMs, firstMs * BACKOFF_FACTOR ** this.#attempts) * (0.8 + 0.4 * this.#options.random());
    this.#attempts += 1;
    this.#timer = setTimeout(() => this.#connect(), delayMs);
    this.#timer.unref();
  }

  #serve(): void {
    for (const waiter of this.#waiting) {
      if (this.#current?.hasRoom !== true) return;
      this.#waiting.delete(waiter);
      waiter.start(this.#current);
    }
  }

  #giveUpAll(reason: string): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const waiter of waiting) waiter.giveUp(reason);
  }
}
