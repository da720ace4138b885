import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** Replaces a service: echoes the request, and streams as slowly as the test needs. */
export interface EchoUpstream {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Makes the streams under way at `/stream` send their second event and end. */
  finishStreams(): void;
  close(): Promise<void>;
}

/** The reply of the echo service on every path but `/stream`. */
export interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
}

export async function startEchoUpstream(): Promise<EchoUpstream> {
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.url === '/stream') {
      streams.add(response);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
      response.write('event: message\ndata: "first"\n\n');
      return;
    }
    echo(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${request.headers.upgrade}\r\nConnection: Upgrade\r\n\r\n`,
    );
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    finishStreams() {
      for (const stream of streams) stream.end('event: done\ndata: "last"\n\n');
      streams.clear();
    },
    close: () => closeServer(server),
  };
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  let bodyBytes = 0;
  request.on('data', (chunk: Buffer) => {
    bodyBytes += chunk.length;
  });
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ method, url, headers, bodyBytes }));
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
