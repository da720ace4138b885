import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** Routes that a server of this protocol may lack. */
const optional = [/^\/runs\//, /\/feedback$/, /^\/sessions\/[^/]+\/run$/, /^\/sessions\/[^/]+\/messages/];

/** The service without the optional routes of the protocol: they answer 404. */
export async function plainServer(target: string) {
  const { hostname, port } = new URL(target);
  const requested: string[] = [];
  let cutAfterEvents = Number.POSITIVE_INFINITY;

  function answer(page: IncomingMessage, reply: ServerResponse): void {
    const url = page.url ?? '';
    requested.push(`${page.method} ${url}`);
    if (optional.some((route) => route.test(url))) {
      reply.writeHead(404, { 'content-type': 'application/json' });
      reply.end(JSON.stringify({ statusCode: 404, error: 'Not Found', message: 'Route not found' }));
      return;
    }
    const options = { hostname, port, path: url, method: page.method, headers: page.headers };
    const passed = request(options, (answered) => {
      reply.writeHead(answered.statusCode ?? 500, answered.headers);
      let events = 0;
      answered.on('data', (chunk: Buffer) => {
        events += String(chunk).split('\nevent: message').length - 1;
        reply.write(chunk, () => {
          if (events > cutAfterEvents) reply.destroy();
        });
      });
      answered.on('end', () => reply.end());
    });
    passed.on('error', () => reply.destroy());
    page.pipe(passed);
  }

  const server = createServer(answer);
  // Sockets are passed through.
  server.on('upgrade', (page, socket, head) => {
    const service = connect(Number(port), hostname, () => {
      const lines = Object.entries(page.headers).map(([name, value]) => `${name}: ${String(value)}`);
      service.write(`GET ${page.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      service.write(head);
      service.pipe(socket).pipe(service);
    });
    for (const end of [socket, service]) end.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    /** Breaks each stream after this many pieces of text. */
    cutStreamsAfter: (events: number) => {
      cutAfterEvents = events;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
