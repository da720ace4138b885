import type { RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { selfSigned } from '@mlango/test-services/self-signed';

/** A service on this machine under the name `localhost`, over TLS. */
export async function startStandIn(answer: RequestListener, options: ServerOptions = {}) {
  const { key, cert } = selfSigned('localhost');
  const requests: string[] = [];
  let connections = 0;
  const server = createServer({ key, cert, ...options }, (request, reply) => {
    requests.push(request.url ?? '');
    answer(request, reply);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
  return {
    origin: `https://localhost:${port}`,
    did: `did:web:localhost%3A${port}`,
    ca: cert,
    requests,
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Address policy of the tests: loopback only. */
export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');
