import { io, type Socket } from 'socket.io-client';
import type { OracleCredentials } from '../provider/oracle-credentials.js';

export interface SocketParts {
  /** Base URL, `http:` or `ws:`. */
  readonly url: string;
  readonly sessionId: string;
  readonly credentials: OracleCredentials;
  /** Of the session, or of none. */
  readonly onEvent: (event: string, data: Readonly<Record<string, unknown>>) => void;
  readonly onConnection: (isConnected: boolean) => void;
  /** The connection is there again, but something may have been missed. */
  readonly onGap: () => void;
}

/** How long a refused token keeps the socket from asking again; twice as long after each refusal. */
const refusedMs = { first: 1_000, longest: 60_000 };

/** The socket of one session. Connects again by itself, each time with a token that lasts. */
export class SessionSocket {
  readonly #socket: Socket;
  readonly #parts: SocketParts;
  #hasConnected = false;
  #refusals = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** What the last connection attempt has shown. */
  #shown: Readonly<Record<string, string>> = {};

  constructor(parts: SocketParts) {
    this.#parts = parts;
    const { origin, pathname } = new URL(parts.url.replace(/^ws/, 'http'));
    this.#socket = io(origin, {
      path: `${pathname.replace(/\/+$/, '')}/socket.io/`,
      query: { sessionId: parts.sessionId },
      auth: (show) => void this.#authenticate(show),
      transports: ['websocket'],
      // Another session is another connection.
      forceNew: true,
      autoConnect: false,
    });
    this.#socket.on('connect', () => this.#connected());
    this.#socket.on('disconnect', () => parts.onConnection(false));
    this.#socket.on('connect_error', (error) => this.#refused(error));
    this.#socket.onAny((event: string, data: unknown) => {
      if (isOfSession(data, parts.sessionId)) parts.onEvent(event, data);
    });
  }

  get isConnected(): boolean {
    return this.#socket.connected;
  }

  /** Connects unless it does already. */
  open(): void {
    if (this.#socket.active) return;
    clearTimeout(this.#retry);
    this.#socket.connect();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#socket.disconnect();
  }

  /** Sends an event; without a connection, once there is one. */
  send(event: string, data: Readonly<Record<string, unknown>>): void {
    this.#socket.emit(event, data);
  }

  #connected(): void {
    this.#refusals = 0;
    this.#parts.onConnection(true);
    if (this.#hasConnected && !this.#socket.recovered) this.#parts.onGap();
    this.#hasConnected = true;
  }

  async #authenticate(show: (auth: object) => void): Promise<void> {
    try {
      const tokens = await this.#parts.credentials.tokens();
      this.#shown = { ...tokens };
      show(tokens);
    } catch {
      // A wallet that does not sign is not asked again and again: the next message asks it.
      this.close();
    }
  }

  /** Refusals that pass are not told: the connection is dropped, and made again by the socket itself. */
  #refused(error: Error & { data?: { code?: unknown } }): void {
    this.#parts.onConnection(false);
    if (this.#socket.active || error.data?.code !== 'unauthenticated') return;
    this.#parts.credentials.refusedTokens(this.#shown);
    const waitMs = Math.min(refusedMs.longest, refusedMs.first * 2 ** this.#refusals++);
    this.#retry = setTimeout(() => this.open(), waitMs);
  }
}

/** Events of other sessions are nobody's business here; some name none. */
function isOfSession(data: unknown, own: string): data is Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return false;
  const { sessionId } = data as { sessionId?: unknown };
  return sessionId === undefined || sessionId === '' || sessionId === own;
}
