import { connect, type Socket } from 'node:net';

export interface SocketTarget {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false | undefined;
}

/**
 * Sockets for postgres.js that turn two endless waits into errors:
 * - A peer that accepts and hangs up at once (a proxy whose database is away) makes the driver dial again for ever
 *   without telling the query; here that is an ECONNRESET.
 * - A peer that vanished without a word leaves a sent query waiting for the operating system's own patience, a quarter
 *   of an hour; here `silenceMs` without a byte in either direction end it. It must exceed the statement timeout.
 */
export function boundedSockets(silenceMs: number): (target: SocketTarget) => Socket {
  let dialled = 0;
  return ({ host, port, path }) => {
    const turn = dialled % Math.max(1, host.length);
    dialled += 1;
    const hostname = host[turn] ?? 'localhost';
    const socket =
      typeof path === 'string' && path !== ''
        ? connect(path)
        : // The driver looks for the host's name on the socket when it checks a certificate.
          Object.assign(connect({ host: hostname, port: port[turn] ?? 5432 }), { host: hostname });
    socket.setNoDelay(true);
    socket.once('end', () => {
      if (socket.bytesRead === 0) socket.destroy(systemError('ECONNRESET', 'the database server hung up at once'));
    });
    endWhenSilent(socket, silenceMs);
    return socket;
  };
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
    socket.destroy(systemError('ETIMEDOUT', 'the database server fell silent'));
  }, silenceMs / rounds);
  timer.unref();
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
