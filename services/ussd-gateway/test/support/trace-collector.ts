import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An OTLP collector over HTTP that keeps what it is sent. */
export async function startTraceCollector() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, close: () => server.close() };
}
