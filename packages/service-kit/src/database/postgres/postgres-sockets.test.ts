import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@mlango/test-services/servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boundedSockets, socketsToOneOf } from './postgres-sockets.js';

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

it('an idle socket ends with ETIMEDOUT', async () => {
  const socket = boundedSockets(200)({ host: ['127.0.0.1'], port: [port] });
  expect(await endOf(socket)).toBe('ETIMEDOUT');
});

it('it also ends after the driver has removed every listener, as for TLS', async () => {
  const socket = boundedSockets(200)({ host: ['127.0.0.1'], port: [port] });
  socket.removeAllListeners();
  await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  expect(socket.destroyed).toBe(true);
});

describe('sockets to one of several hosts', () => {
  const limits = { silenceMs: 5_000, connectMs: 2_000 };

  it('use the first reachable host, and stay with it', async () => {
    const dead = await freePort();
    const hosts = [dead, port].map((each) => ({ host: '127.0.0.1', port: each }));
    const dial = socketsToOneOf(hosts, limits);
    for (let time = 0; time < 3; time += 1) {
      const socket = await dial();
      expect(socket.remotePort).toBe(port);
      socket.on('error', () => {}).destroy();
    }
  });

  it('move on if the reachable host is not the intended one', async () => {
    const hosts = ['127.0.0.1', 'localhost'].map((host) => ({ host, port }));
    const dial = socketsToOneOf(hosts, limits);
    const first = await dial();
    const another = await dial();
    for (const { passOver } of [first, another]) passOver?.();
    const next = await dial();
    expect([first.host, another.host, next.host]).toEqual(['127.0.0.1', '127.0.0.1', 'localhost']);
    for (const socket of [first, another, next]) socket.on('error', () => {}).destroy();
  });

  it("end with the system's reason if none is reachable", async () => {
    const dead = await freePort();
    const hosts = [0, 1].map(() => ({ host: '127.0.0.1', port: dead }));
    expect(await endOf(await socketsToOneOf(hosts, limits)())).toBe('ECONNREFUSED');
  });
});
