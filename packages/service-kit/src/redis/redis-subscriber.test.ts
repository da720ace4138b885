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

type Mood = 'confirms' | 'refuses' | 'hangs up' | 'is silent';

/**
 * A server that answers `+OK` to all but subscriptions and ends the connection at QUIT. The test controls its replies to
 * subscriptions and reads the requests.
 */
async function openServer() {
  const requested: string[] = [];
  const state = { mood: 'confirms' as Mood };
  const sockets = new Set<Socket>();
  const answer = (socket: Socket, name: string, channel: string) => {
    if (state.mood === 'hangs up') socket.destroy();
    if (state.mood === 'refuses') socket.write('-NOPERM not for you\r\n');
    if (state.mood !== 'confirms') return;
    socket.write(`>3\r\n$${name.length}\r\n${name}\r\n$${channel.length}\r\n${channel}\r\n:1\r\n`);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const command of String(data)
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const [name = '', channel = ''] = command.split('\r\n').filter((_, at) => at % 2 === 1);
        if (name.toLowerCase() === 'quit') socket.end('+OK\r\n');
        else if (!name.endsWith('subscribe')) socket.write('+OK\r\n');
        else {
          requested.push(name === 'subscribe' ? channel : `-${channel}`);
          answer(socket, name, channel);
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
  const publish = (channel: string, text: string) => {
    for (const socket of sockets)
      socket.write(`>3\r\n$7\r\nmessage\r\n$${channel.length}\r\n${channel}\r\n$${text.length}\r\n${text}\r\n`);
  };
  closers.push(async () => {
    drop();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const { subscriber, close } = await openRedis({ url: `redis://127.0.0.1:${port}`, logger, connectionName: 'test' });
  closers.push(close);
  return { requested, state, drop, publish, lines, subscriber: subscriber('words') };
}

const listenTo = async ({ subscriber }: Awaited<ReturnType<typeof openServer>>, ...names: string[]) => {
  const all = names.map((name) => subscriber.listen(name, () => {}));
  await Promise.all(all.map(({ within }) => within(SOON.timeout)));
  return all;
};

describe('subscribed channels', () => {
  it('are subscribed again after a connection that closed before it had confirmed them', async () => {
    const server = await openServer();
    const early = await listenTo(server, 'one', 'two', 'three');
    server.requested.length = 0;
    server.state.mood = 'hangs up';
    server.drop();
    await vi.waitFor(() => expect(server.requested.length).toBeGreaterThan(3), SOON);
    expect(early.map(({ isConfirmed }) => isConfirmed)).toEqual([false, false, false]);
    const late = server.subscriber.listen('four', () => {});
    server.state.mood = 'confirms';
    await Promise.all([...early, late].map(({ within }) => within(SOON.timeout)));
    expect([...early, late].map(({ isConfirmed }) => isConfirmed)).toEqual([true, true, true, true]);
    expect(server.requested.slice(-4).toSorted()).toEqual(['four', 'one', 'three', 'two']);
  });

  it('are subscribed once for any number of listeners, and unsubscribed with the last of them', async () => {
    const server = await openServer();
    const received: string[] = [];
    const hears = (who: string) => server.subscriber.listen('a', (text) => received.push(`${who} ${text}`));
    const [one, two] = [hears('one'), hears('two')];
    await Promise.all([one, two].map(({ within }) => within(SOON.timeout)));
    server.publish('a', 'first');
    await vi.waitFor(() => expect(received).toEqual(['one first', 'two first']), SOON);
    one.end();
    one.end();
    server.publish('a', 'second');
    await vi.waitFor(() => expect(received.slice(2)).toEqual(['two second']), SOON);
    expect(server.requested).toEqual(['a']);
    two.end();
    await vi.waitFor(() => expect(server.requested).toEqual(['a', '-a']), SOON);
    await listenTo(server, 'a');
    expect(server.requested).toEqual(['a', '-a', 'a']);
  });

  it('follow the last request if listeners change before a reply', async () => {
    const server = await openServer();
    await listenTo(server, 'other');
    server.state.mood = 'is silent';
    const first = server.subscriber.listen('a', () => {});
    first.end();
    const second = server.subscriber.listen('a', () => {});
    const ended = server.subscriber.listen('b', () => {});
    ended.end();
    await vi.waitFor(() => expect(server.requested).toEqual(['other', 'a', 'b']), SOON);
    server.state.mood = 'confirms';
    server.drop();
    await second.within(SOON.timeout);
    expect([second.isConfirmed, ended.isConfirmed]).toEqual([true, false]);
    expect(server.requested.slice(3).toSorted()).toEqual(['a', 'other']);
  });

  it('that are refused are retried until they succeed, for all listeners, and logged once', async () => {
    const server = await openServer();
    server.state.mood = 'refuses';
    const [one, two] = [server.subscriber.listen('a', () => {}), server.subscriber.listen('a', () => {})];
    server.subscriber.listen('b', () => {});
    await vi.waitFor(() => expect(server.requested.filter((name) => name === '-a').length).toBeGreaterThan(1), SOON);
    expect(server.lines.filter((line) => line.includes('NOPERM'))).toHaveLength(1);
    one.end();
    server.state.mood = 'confirms';
    await two.within(SOON.timeout);
    expect(two.isConfirmed).toBe(true);
  });

  it('reach a new listener after an unsubscribe that could not be sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const server = await openServer();
      const [first] = await listenTo(server, 'a');
      const timers = vi.getTimerCount();
      server.state.mood = 'hangs up';
      first?.end();
      await vi.waitFor(() => expect(server.requested).toContain('-a'), SOON);
      server.state.mood = 'confirms';
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(timers), SOON);
      const received: string[] = [];
      const second = server.subscriber.listen('a', (text) => received.push(text));
      await vi.waitFor(() => expect(second.isConfirmed).toBe(true), SOON);
      // Beyond the pause before a retry, and before a ping of the connection.
      vi.advanceTimersByTime(2_000);
      server.publish('a', 'x');
      await vi.waitFor(() => expect(received).toEqual(['x']), SOON);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are not waited for beyond the limit', async () => {
    const server = await openServer();
    server.state.mood = 'is silent';
    const listening = server.subscriber.listen('a', () => {});
    await listening.within(50);
    expect(listening.isConfirmed).toBe(false);
  });
});
