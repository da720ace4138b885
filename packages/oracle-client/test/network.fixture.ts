import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a page and a service that can be cut. The service keeps running. */
export async function network(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isDown = false;
  let bytesLeft = Number.POSITIVE_INFINITY;
  let requestsToDrop = 0;
  const pages = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    bytesLeft = Number.POSITIVE_INFINITY;
  };
  const server = createServer((page) => {
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
    pages.add(page);
    page.on('close', () => pages.delete(page));
    page.on('data', (chunk) => {
      if (requestsToDrop === 0) {
        service.write(chunk);
        return;
      }
      requestsToDrop--;
      page.destroy();
    });
    service.on('data', (chunk) => {
      const passing = chunk.subarray(0, bytesLeft);
      bytesLeft -= passing.length;
      if (bytesLeft > 0) page.write(passing);
      else page.write(passing, cut);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many connections are open. */
    connections: () => pages.size,
    /** Breaks all connections after this many further bytes of the service. */
    cutAfter: (bytes: number) => {
      bytesLeft = bytes;
    },
    /** Breaks the connections of this many further requests, before the service has received any of them. */
    dropRequests: (count: number) => {
      requestsToDrop = count;
    },
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
