import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between client and service. After a cut the client's connections are closed, and the service does not notice. */
export async function brokenNetwork(target: string) {
  const { hostname, port } = new URL(target);
  const clientSides = new Set<Socket>();
  const serverSides = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    clientSides.add(client);
    serverSides.add(upstream);
    client.on('error', () => undefined);
    upstream.on('error', () => undefined);
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => client.write(chunk));
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      for (const client of clientSides) client.destroy();
      clientSides.clear();
    },
    close: () => {
      for (const socket of [...clientSides, ...serverSides]) socket.destroy();
      server.close();
    },
  };
}
