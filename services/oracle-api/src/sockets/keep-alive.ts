import type { WebSocket } from '@fastify/websocket';

/** Pings a client as long as it answers, and drops the connection when it does not. */
export function keepAlive(socket: WebSocket, times: { pingIntervalMs: number; pingTimeoutMs: number }): void {
  let deadline: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    if (deadline !== undefined || socket.isPaused) return;
    socket.ping();
    deadline = setTimeout(() => socket.terminate(), times.pingTimeoutMs);
  }, times.pingIntervalMs);
  socket.on('pong', () => {
    clearTimeout(deadline);
    deadline = undefined;
  });
  socket.once('close', () => {
    clearInterval(timer);
    clearTimeout(deadline);
  });
}
