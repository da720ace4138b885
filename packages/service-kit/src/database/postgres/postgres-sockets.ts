import { connect, type Socket } from 'node:net';
import type { PostgresHost } from '../../env/postgres-url.js';

export interface SocketTarget {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false | undefined;
}

/**
 * Sockets for postgres.js that turn two endless waits into errors:
 * - A peer that accepts and closes at once (a proxy without its database) makes the driver reconnect forever; here the query
 *   fails with ECONNRESET.
 * - A peer that vanished leaves a query waiting for the TCP timeout, a quarter of an hour; here `silenceMs` without traffic end it.
 *   It must exceed the statement timeout.
 */
export function boundedSockets(silenceMs: number): (target: SocketTarget) => Socket {
  return ({ host, port, path }) => {
    if (typeof path === 'string' && path !== '') return bounded(connect(path), silenceMs);
    return dial({ host: host[0] ?? 'localhost', port: port[0] ?? 5432 }, silenceMs);
  };
}

/** Properties that the patched driver reads from a socket (docs/adr/0008). */
export interface DialledSocket extends Socket {
  readonly host: string;
  readonly passOver?: () => void;
}

/**
 * Sockets to one of several hosts: the last one that served, else the next one in order if it cannot be reached or the driver calls
 * `passOver` because it is of the wrong kind. Each host gets its share of `connectMs`.
 */
export function socketsToOneOf(
  hosts: readonly PostgresHost[],
  { silenceMs, connectMs }: { readonly silenceMs: number; readonly connectMs: number },
): () => Promise<DialledSocket> {
  let current = 0;
  return async () => {
    for (let tried = 1; ; tried += 1) {
      const turn = current;
      // Another connection may have skipped it already.
      const passOver = (): void => {
        if (current === turn) current = (turn + 1) % hosts.length;
      };
      const host = hosts[turn];
      if (host === undefined) throw new Error('no host to dial');
      const socket = Object.assign(dial(host, silenceMs), { passOver });
      if (await isConnected(socket, connectMs / hosts.length)) return socket;
      passOver();
      // Returns the last host's socket, so that the driver gets its error.
      if (tried === hosts.length) return dial(host, silenceMs);
    }
  };
}

function isConnected(socket: Socket, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (answer: boolean): void => {
      clearTimeout(timer);
      socket.off('connect', connected);
      if (!answer) socket.destroy();
      resolve(answer);
    };
    const connected = () => {
      socket.off('error', failed);
      settle(true);
    };
    const failed = () => settle(false);
    const timer = setTimeout(failed, limitMs);
    socket.once('connect', connected).on('error', failed);
  });
}

function dial({ host, port }: PostgresHost, silenceMs: number): DialledSocket {
  // The driver reads the host name from the socket when it checks a certificate.
  return bounded(Object.assign(connect({ host: bare(host), port }), { host: bare(host) }), silenceMs);
}

/** Strips the brackets of an IPv6 host in a URL. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function bounded<T extends Socket>(socket: T, silenceMs: number): T {
  socket.setNoDelay(true);
  socket.once('end', () => {
    if (socket.bytesRead === 0)
      socket.destroy(systemError('ECONNRESET', 'the database server closed the connection at once'));
  });
  endWhenSilent(socket, silenceMs);
  return socket;
}

/** Polls instead of listening: the driver removes every listener when it wraps the socket in TLS. */
function endWhenSilent(socket: Socket, silenceMs: number): void {
  let lastTraffic = -1;
  let silentRounds = 0;
  const rounds = 4;
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer);
    const traffic = socket.bytesRead + socket.bytesWritten;
    silentRounds = traffic === lastTraffic ? silentRounds + 1 : 0;
    lastTraffic = traffic;
    if (silentRounds < rounds) return;
    clearInterval(timer);
    socket.once('error', () => {});
    socket.destroy(systemError('ETIMEDOUT', 'the database server does not respond'));
  }, silenceMs / rounds);
  timer.unref();
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
