import type { Socket } from 'node:net';
import type { HttpApp } from './http-app-type.js';

const sweepMs = 10;

/**
 * Ends connections while the app closes as soon as they have no request. Fastify closes idle connections once, at the start: one that
 * was busy then would stay open after its reply until its keep-alive time runs out. One that a client opened ahead of its first request,
 * as browsers do, is not idle to Node.js and would stay open for half a minute.
 */
export function closeIdleConnections(app: HttpApp): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  let sweep: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweep = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, sweepMs);
  });
  // Runs once the server has closed.
  app.addHook('onClose', async () => clearInterval(sweep));
}
