import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRedis } from './open-redis.js';
import { publishCounted } from './redis-client.js';

const SOON = { timeout: 30_000, interval: 25 };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** An address that leads to one server, and then to another for who comes anew. */
async function addressOf(first: string) {
  let port = new URL(first).port;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onwards = connect(Number(port), '127.0.0.1');
    for (const each of [socket, onwards]) {
      sockets.add(each);
      each.on('error', () => {});
      each.on('close', () => {
        socket.destroy();
        onwards.destroy();
      });
    }
    socket.pipe(onwards).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(first);
  url.port = String((server.address() as { port: number }).port);
  const leadsTo = (other: string) => {
    port = new URL(other).port;
  };
  return { url: url.href, leadsTo };
}

describe.skipIf(!canStartRedis)('an address that leads to another server, whose replica the first becomes', () => {
  it('is listened to where it leads to now, once a write was refused', { timeout: 60_000 }, async () => {
    const [first, second] = [await startRedis(), await startRedis()];
    closers.push(first.remove, second.remove);
    const address = await addressOf(first.url);
    const open = (url: string) => openRedis({ url, logger: pino({ level: 'silent' }), connectionName: 'moving' });
    const { client, subscriber, close } = await open(address.url);
    closers.push(close);
    const heard: string[] = [];
    await subscriber('words')
      .listen('a', (text) => heard.push(text))
      .within(SOON.timeout);
    expect(await publishCounted(client, 'a', 'before')).toBe(1);
    address.leadsTo(second.url);
    const [old, now] = [new Redis(first.url), new Redis(second.url)];
    closers.push(
      () => old.disconnect(),
      () => now.disconnect(),
    );
    await now.config('SET', 'requirepass', new URL(first.url).password);
    await old.replicaof('127.0.0.1', new URL(second.url).port);
    await vi.waitFor(() => expect(client.set('x', '1')).resolves.toBe('OK'), SOON);
    await vi.waitFor(async () => expect(await publishCounted(client, 'a', 'after')).toBe(1), SOON);
    await vi.waitFor(() => expect(heard).toContain('after'), SOON);
  });
});
