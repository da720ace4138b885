import { startFaultProxy } from '@mlango/test-services/fault-proxy';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRedis } from './open-redis.js';
import { publishCounted } from './redis-client.js';

const SOON = { timeout: 30_000, interval: 25 };
const portOf = (url: string) => Number(new URL(url).port);
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

describe.skipIf(!canStartRedis)('an address that moves to another server, with the first as its replica', () => {
  it('is followed by subscribers after a refused write', { timeout: 60_000 }, async () => {
    const [first, second] = [await startRedis(), await startRedis()];
    closers.push(first.remove, second.remove);
    const proxy = await startFaultProxy(portOf(first.url));
    closers.push(proxy.close);
    const address = new URL(first.url);
    address.port = String(proxy.port);
    const open = (url: string) => openRedis({ url, logger: pino({ level: 'silent' }), connectionName: 'moving' });
    const { client, subscriber, close } = await open(address.href);
    closers.push(close);
    const received: string[] = [];
    await subscriber('words')
      .listen('a', (text) => received.push(text))
      .within(SOON.timeout);
    expect(await publishCounted(client, 'a', 'before')).toBe(1);
    proxy.moveTo(portOf(second.url));
    const [old, now] = [new Redis(first.url), new Redis(second.url)];
    closers.push(
      () => old.disconnect(),
      () => now.disconnect(),
    );
    await now.config('SET', 'requirepass', new URL(first.url).password);
    await old.replicaof('127.0.0.1', portOf(second.url));
    await vi.waitFor(() => expect(client.set('x', '1')).resolves.toBe('OK'), SOON);
    await vi.waitFor(async () => expect(await publishCounted(client, 'a', 'after')).toBe(1), SOON);
    await vi.waitFor(() => expect(received).toContain('after'), SOON);
  });
});
