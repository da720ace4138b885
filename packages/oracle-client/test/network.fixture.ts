import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a page and a service, which can be cut. The service goes on. */
export async function network(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isDown = false;
  let connections = 0;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const server = createServer((page) => {
    connections++;
    if (isDown) {
      page.destroy();
      return;
    }
    const service = connect(Number(port), hostname);
    for (const socket of [page, service]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        page.destroy();
        service.destroy();
      });
    }
    page.pipe(service);
    service.pipe(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often somebody tried to connect. */
    connections: () => connections,
    /** Breaks all connections; new ones can be made. */
    cut,
    /** Breaks all connections, and each that is made until it is up again. */
    down: () => {
      isDown = true;
      cut();
    },
    up: () => {
      isDown = false;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
