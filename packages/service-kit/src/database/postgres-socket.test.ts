import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { boundedSockets } from './postgres-socket.js';

let server: Server;
let port: number;
const accepted: Socket[] = [];
beforeEach(async () => {
  server = createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  for (const socket of accepted.splice(0)) socket.destroy();
  server.close();
});

function endOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let code = 'ended in order';
    socket.on('error', (error) => {
      code = 'code' in error ? String(error.code) : error.message;
    });
    socket.on('close', () => resolve(code));
  });
}

it('a socket on which nothing moves ends with ETIMEDOUT', async () => {
  const socket = boundedSockets(200)({ host: ['127.0.0.1'], port: [port] });
  expect(await endOf(socket)).toBe('ETIMEDOUT');
});

it('it ends also when every listener was taken off it, as the driver does for TLS', async () => {
  const socket = boundedSockets(200)({ host: ['127.0.0.1'], port: [port] });
  socket.removeAllListeners();
  await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  expect(socket.destroyed).toBe(true);
});

it('hosts of a list take turns', async () => {
  const dial = boundedSockets(2_000);
  const target = { host: ['127.0.0.1', '127.0.0.2'], port: [port, port] };
  const sockets = [dial(target), dial(target)];
  expect(sockets.map((socket) => ('host' in socket ? socket.host : undefined))).toEqual(['127.0.0.1', '127.0.0.2']);
  for (const socket of sockets) socket.on('error', () => {}).destroy();
});
