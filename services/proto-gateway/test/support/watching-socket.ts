import { gatewayWatchEvent } from '@mlango/schemas/proto-gateway';
import { WebSocket } from 'undici';
import type { WatchedGateway } from './watched-gateway.js';

/** The next event of a kind. */
export const socketEvent = (socket: WebSocket, type: 'open' | 'close' | 'error') =>
  new Promise((resolve) => socket.addEventListener(type, resolve, { once: true }));

/** A socket that reads events one by one. */
export async function openSocket({ url }: WatchedGateway, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/proto/watch`, { headers });
  const events: unknown[] = [];
  let wake = (): void => {};
  socket.addEventListener('message', ({ data }: { data: string }) => {
    events.push(gatewayWatchEvent.parse(JSON.parse(data)));
    wake();
  });
  await socketEvent(socket, 'open');
  return {
    socket,
    sendMessage: (message: object) => socket.send(JSON.stringify(message)),
    next: async (): Promise<unknown> => {
      while (events.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return events.shift();
    },
  };
}
