import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRedis } from './open-redis.js';

const SOON = { timeout: 15_000, interval: 25 };
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server that says `+OK` to all but subscriptions: each is confirmed, or ends the connection, as it is told to. */
async function openServer() {
  const asked: string[][] = [];
  const state = { confirms: true };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const command of String(data)
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const [name = '', ...channels] = command.split('\r\n').filter((_, at) => at % 2 === 1);
        if (name.toLowerCase() !== 'subscribe') socket.write('+OK\r\n');
        else {
          asked.push(channels);
          const replies = channels.map(
            (channel, at) => `*3\r\n$9\r\nsubscribe\r\n$${channel.length}\r\n${channel}\r\n:${at + 1}\r\n`,
          );
          if (state.confirms) socket.write(replies.join(''));
          else socket.destroy();
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  closers.push(async () => {
    drop();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `redis://127.0.0.1:${port}`, asked, state, drop };
}

describe('channels that are listened to', () => {
  it('are asked for again after a connection that went before it had confirmed them', async () => {
    const server = await openServer();
    const { subscriber, close } = await openRedis({
      ...{ url: server.url, logger: pino({ level: 'silent' }), connectionName: 'test' },
    });
    closers.push(close);
    const listener = subscriber('words');
    await listener.subscribe('one', 'two');
    await listener.subscribe('three');
    server.asked.length = 0;
    server.state.confirms = false;
    server.drop();
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(1), SOON);
    const late = listener.subscribe('four');
    server.state.confirms = true;
    await late;
    await vi.waitFor(() => expect(server.asked.at(-1)).toEqual(['one', 'two', 'three', 'four']), SOON);
  });
});
