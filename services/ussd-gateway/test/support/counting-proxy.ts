import { connect, createServer, type Server, type Socket } from 'node:net';

export interface CountingProxy {
  /** Address of the server behind the proxy, through the proxy. */
  readonly url: string;
  /** Round trips of callers since the previous call, without connecting and logging in. */
  readonly roundTrips: () => number;
  readonly close: () => Promise<void>;
}

/** Sent by Postgres when it is ready for the next statement: `Z` and a length of 5; the state of the transaction follows. */
const readyForQuery = Buffer.from('Z\0\0\0\u0005', 'latin1');

/**
 * A proxy between a client and Postgres that counts round trips on the wire: bytes of the client after an answer begin
 * one.
 *
 * @param latencyMs delay of an answer.
 */
export async function startCountingProxy(upstream: string, latencyMs = 0): Promise<CountingProxy> {
  const target = new URL(upstream);
  const sockets = new Set<Socket>();
  let trips = 0;
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, database]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        client.destroy();
        database.destroy();
      });
    }
    let isReady = false;
    let isAnswered = true;
    client.on('data', (bytes) => {
      if (isReady && isAnswered) trips += 1;
      isAnswered = false;
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      const answer = () => {
        isAnswered = true;
        isReady ||= bytes.subarray(-6, -1).equals(readyForQuery);
        client.write(bytes);
      };
      if (latencyMs === 0) answer();
      else setTimeout(answer, latencyMs);
    });
  });
  const url = new URL(upstream);
  url.hostname = '127.0.0.1';
  url.port = String(await listen(server));
  return {
    url: url.href,
    roundTrips: () => {
      const since = trips;
      trips = 0;
      return since;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
