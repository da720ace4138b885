import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultProxy } from './fault-proxy.js';
import { Luck } from './luck.js';

/** Says everything back. */
let server: Server;
let proxy: FaultProxy;

beforeEach(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  proxy = await FaultProxy.open(address.port, new Luck(1));
});
afterEach(async () => {
  await proxy.close();
  server.close();
});

async function opened(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  return socket;
}

/** Says something and resolves with what comes back; rejects where the connection breaks first. */
async function echo(socket: Socket, said: string): Promise<string> {
  let heard = '';
  socket.write(said);
  while (heard.length < said.length) heard += String((await once(socket, 'data'))[0]);
  return heard;
}

/** Resolves when a connection is over, however it ends. */
function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined).once('close', () => resolve());
  });
}

describe('a proxy of faults', () => {
  it('passes everything on in clear weather, and the end of it', async () => {
    const socket = await opened();
    const long = 'x'.repeat(1_000_000);
    expect(await echo(socket, long)).toBe(long);
    const end = once(socket, 'end');
    socket.end();
    await end;
  });

  it('loses no byte and changes no order while packets are late, slow or sent again', async () => {
    const socket = await opened();
    proxy.set({ kind: 'latency', ms: 5 });
    expect(await echo(socket, 'late')).toBe('late');
    proxy.set({ kind: 'throttle', bytesPerSecond: 100_000 });
    expect(await echo(socket, 'slow'.repeat(50))).toBe('slow'.repeat(50));
    proxy.set({ kind: 'loss', stalls: 1, resets: 0 });
    expect(await echo(socket, 'again')).toBe('again');
    socket.destroy();
  });

  it('resets what is open when it is cut, and what is opened until it is clear', async () => {
    const socket = await opened();
    await echo(socket, 'there');
    const broken = gone(socket);
    proxy.set({ kind: 'cut' });
    await broken;
    await gone(connect(proxy.port, '127.0.0.1'));
    proxy.clear();
    const after = await opened();
    expect(await echo(after, 'back')).toBe('back');
    after.destroy();
  });

  it('keeps what a black hole swallows until it is over, and the breaking of connections too', async () => {
    const [stays, leaves] = [await opened(), await opened()];
    await Promise.all([echo(stays, 'one'), echo(leaves, 'two')]);
    proxy.set({ kind: 'blackHole' });
    const heard: string[] = [];
    stays.on('data', (text) => heard.push(String(text)));
    stays.write('swallowed');
    leaves.destroy();
    await sleep(20);
    expect(heard).toEqual([]);
    proxy.clear();
    await expect.poll(() => heard.join('')).toBe('swallowed');
    await expect.poll(() => proxy.connections).toBe(2);
    stays.destroy();
    await expect.poll(() => proxy.connections).toBe(0);
  });

  it('resets connections where the loss is total', async () => {
    const socket = await opened();
    proxy.set({ kind: 'loss', stalls: 0, resets: 1 });
    const broken = gone(socket);
    socket.write('lost');
    await broken;
  });
});
