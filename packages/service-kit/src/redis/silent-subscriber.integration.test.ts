import { startFaultProxy } from '@mlango/test-services/fault-proxy';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { openRedis } from './open-redis.js';
import { publish } from './redis-client.js';

describe.skipIf(!canStartRedis)('a subscriber', { timeout: 60_000 }, () => {
  it('replaces a connection that is silent without closing', async () => {
    const server = await startRedis();
    const proxy = await startFaultProxy(Number(new URL(server.url).port));
    const through = new URL(server.url);
    through.port = String(proxy.port);
    const { client, subscriber, close } = await openRedis({
      url: through.href,
      logger: pino({ level: 'silent' }),
      connectionName: 'silent',
    });
    try {
      const received: string[] = [];
      await subscriber('messages')
        .listen('channel', (text) => void received.push(text))
        .within(10_000);
      proxy.silence('open');
      await vi.waitFor(
        async () => {
          await publish(client, 'channel', 'after');
          expect(received).toContain('after');
        },
        { timeout: 40_000, interval: 100 },
      );
    } finally {
      await close();
      await proxy.close();
      await server.remove();
    }
  });
});
