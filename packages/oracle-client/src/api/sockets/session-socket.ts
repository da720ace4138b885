import type { Socket } from 'socket.io-client';
import type { OracleCredentials, SocketCredentials } from '../identity/oracle-credentials.js';
import { TokenRenewal } from './token-renewal.js';

export interface SocketParts {
  /** Base URL, `http:` or `ws:`. */
  readonly url: string;
  readonly sessionId: string;
  readonly credentials: OracleCredentials;
  /** With the session of the event, if it has one. */
  readonly onEvent: (event: string, data: Readonly<Record<string, unknown>>) => void;
  readonly onConnection: (isConnected: boolean) => void;
  /** The session does not exist or belongs to another user. */
  readonly onNoSession: () => void;
  /** The connection is restored, but events may have been missed. */
  readonly onGap: () => void;
}

/** How long a first connection is waited for: a chat is of use without a socket too. */
const firstConnectionMs = 3_000;

/** How long the socket waits after a refused token, or a failed load of its code; twice as long each time. */
const refusedMs = { first: 1_000, longest: 60_000 };

/**
 * The socket of one session. Reconnects by itself, each time with a valid token, and presents a fresh one before that expires.
 * Its code is loaded with the first socket; a page also shows earlier messages.
 */
export class SessionSocket {
  /** Fulfilled once the first connection is open, or is not available for now, or exceeds its time limit. */
  readonly firstOutcome: Promise<void>;
  readonly #parts: SocketParts;
  readonly #renewal: TokenRenewal;
  #settleFirst: () => void = () => undefined;
  #firstTimer: ReturnType<typeof setTimeout> | undefined;
  #socket: Socket | undefined;
  #loading: Promise<Socket> | undefined;
  #isWanted = false;
  /** Payloads sent before the socket is open. */
  #unsent: (readonly [event: string, data: object])[] = [];
  #hasConnected = false;
  #refusals = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** The credentials presented last. */
  #shown: SocketCredentials | undefined;
  /** The server announced that it closes the connection because the token is invalid. */
  #isShownOver = false;

  constructor(parts: SocketParts) {
    this.#parts = parts;
    this.#renewal = new TokenRenewal({
      credentials: parts.credentials,
      show: (tokens) => {
        this.#shown = tokens;
        this.#socket?.emit('auth', tokens);
      },
    });
    this.firstOutcome = new Promise((resolve) => {
      this.#settleFirst = () => {
        clearTimeout(this.#firstTimer);
        resolve();
      };
    });
  }

  get isConnected(): boolean {
    return this.#socket?.connected === true;
  }

  /** Connects unless it is connected. */
  open(): void {
    this.#isWanted = true;
    this.#firstTimer ??= setTimeout(this.#settleFirst, firstConnectionMs);
    if (this.#socket?.active === true) return;
    clearTimeout(this.#retry);
    void this.#connect();
  }

  close(): void {
    this.#isWanted = false;
    this.#settleFirst();
    clearTimeout(this.#retry);
    this.#renewal.stop();
    this.#socket?.disconnect();
  }

  /** Sends an event; without a connection, once there is one. */
  send(event: string, data: Readonly<Record<string, unknown>>): void {
    if (this.#socket === undefined) this.#unsent.push([event, data]);
    else this.#socket.emit(event, data);
  }

  async #connect(): Promise<void> {
    this.#loading ??= this.#load();
    try {
      const socket = await this.#loading;
      if (this.#isWanted && !socket.active) socket.connect();
    } catch {
      // Without a network the code cannot be loaded either.
      this.#loading = undefined;
      this.#settleFirst();
      if (this.#isWanted) this.#openLater();
    }
  }

  async #load(): Promise<Socket> {
    const { io } = await socketLibrary();
    const { url, sessionId, onEvent } = this.#parts;
    const { origin, pathname } = new URL(url.replace(/^ws/, 'http'));
    const socket = io(origin, {
      path: `${pathname.replace(/\/+$/, '')}/socket.io/`,
      query: { sessionId },
      auth: (show) => void this.#authenticate(show),
      transports: ['websocket'],
      // Another session is another connection.
      forceNew: true,
      autoConnect: false,
    });
    socket.on('connect', () => this.#connected(socket));
    socket.on('disconnect', (reason) => this.#disconnected(reason));
    socket.on('connect_error', (error) => this.#refused(socket, error));
    socket.onAny((event: string, data: unknown) => {
      if (!isOfSession(data, sessionId)) return;
      this.#heed(event, data['code']);
      onEvent(event, data);
    });
    for (const [event, data] of this.#unsent.splice(0)) socket.emit(event, data);
    this.#socket = socket;
    return socket;
  }

  #connected(socket: Socket): void {
    this.#refusals = 0;
    this.#isShownOver = false;
    this.#renewal.start();
    this.#settleFirst();
    this.#parts.onConnection(true);
    if (this.#hasConnected && !socket.recovered) this.#parts.onGap();
    this.#hasConnected = true;
  }

  async #authenticate(show: (auth: object) => void): Promise<void> {
    try {
      this.#shown = await this.#renewal.tokens();
      show(this.#shown);
    } catch {
      // After a wallet error there is no retry: the next message triggers a new wallet request.
      this.close();
    }
  }

  /** The server's reply to a token. A server without renewal sends none. */
  #heed(event: string, code: unknown): void {
    if (event === 'closing') this.#isShownOver = code === 'unauthenticated';
    if (event === 'auth_error' && code !== 'unauthenticated') this.#renewal.again();
  }

  #disconnected(reason: string): void {
    this.#renewal.stop();
    this.#parts.onConnection(false);
    // Such a connection is not made again by the socket itself.
    if (reason !== 'io server disconnect' || !this.#isShownOver || !this.#isWanted) return;
    this.#forgetShown();
    if (!this.#renewal.isRefusedByWallet) this.#openLater();
  }

  #forgetShown(): void {
    if (this.#shown !== undefined) this.#parts.credentials.refusedTokens(this.#shown);
  }

  /** Transient refusals are not reported: the socket reconnects by itself. */
  #refused(socket: Socket, error: Error & { data?: { code?: unknown } }): void {
    this.#settleFirst();
    this.#parts.onConnection(false);
    if (error.data?.code === 'not_found') this.#parts.onNoSession();
    if (socket.active || error.data?.code !== 'unauthenticated') return;
    this.#forgetShown();
    this.#openLater();
  }

  #openLater(): void {
    const waitMs = Math.min(refusedMs.longest, refusedMs.first * 2 ** this.#refusals++);
    this.#retry = setTimeout(() => this.open(), waitMs);
  }
}

let loading: Promise<typeof import('socket.io-client')> | undefined;

/** The socket library: loaded once, with the first socket or as soon as one is expected. Rejects if it cannot be loaded now. */
export function socketLibrary(): Promise<typeof import('socket.io-client')> {
  loading ??= import('socket.io-client').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Whether an event belongs to a session; events without a session do. */
export function isOfSession(data: unknown, own: string): data is Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return false;
  const { sessionId } = data as { sessionId?: unknown };
  return sessionId === undefined || sessionId === '' || sessionId === own;
}
