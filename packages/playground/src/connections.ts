import { randomUUID } from 'node:crypto';

const cookie = /(?:^|;\s*)line=([0-9a-f-]{36})(?:;|$)/;

/** The connection group of a request; undefined for one without the page's cookie. */
export function connectionOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : cookie.exec(header)?.[1];
}

/** `Set-Cookie` for a browser without a connection group. A session cookie that identifies connections, not people. */
export function newConnectionCookie(): string {
  return `line=${randomUUID()}; Path=/; HttpOnly; SameSite=Strict`;
}
/** The part of a socket that is used. */
export interface Connection {
  readonly destroyed: boolean;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The group of requests without a cookie. No cookie has this value. */
const noCookie = '';

interface Line {
  readonly connections: Set<Connection>;
  cutUntilMs: number;
}

/**
 * The connections of each browser, so that its user can simulate a network failure: open ones are destroyed, and new ones are
 * destroyed on arrival, for a while. Beyond the limit the oldest groups are dropped.
 */
export class Connections {
  readonly #lines = new Map<string, Line>();
  readonly #now: () => number;
  readonly #limit: number;

  /** @param options.now milliseconds of a monotonic clock */
  constructor(options: { readonly now: () => number; readonly limit: number }) {
    this.#now = options.now;
    this.#limit = options.limit;
  }

  /**
   * Registers a connection under an id; connections without an id are never cut.
   * @returns false while the group is cut; the connection is then destroyed
   */
  take(id: string | undefined, connection: Connection): boolean {
    const line = this.#connectionOf(id ?? noCookie);
    if (line.cutUntilMs > this.#now()) {
      connection.destroy();
      return false;
    }
    if (!line.connections.has(connection)) {
      line.connections.add(connection);
      connection.once('close', () => line.connections.delete(connection));
    }
    return true;
  }

  cut(id: string, forMs: number): void {
    const line = this.#connectionOf(id);
    line.cutUntilMs = this.#now() + forMs;
    hangUp(line);
  }

  /** Destroys every connection of every group. */
  hangUpAll(): void {
    for (const line of this.#lines.values()) hangUp(line);
  }

  #connectionOf(id: string): Line {
    const line = this.#lines.get(id) ?? { connections: new Set<Connection>(), cutUntilMs: 0 };
    // The group moves to the end, because the least recently used one is dropped first.
    this.#lines.delete(id);
    this.#lines.set(id, line);
    for (const oldest of this.#lines.keys()) {
      if (this.#lines.size <= this.#limit) break;
      this.#lines.delete(oldest);
    }
    return line;
  }
}

function hangUp({ connections }: Line): void {
  for (const connection of Array.from(connections)) connection.destroy();
}
