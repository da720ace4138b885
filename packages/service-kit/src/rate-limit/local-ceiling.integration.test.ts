import { canStartRedis, type RedisServer, startRedis } from '@mlango/test-services/servers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openRedis, type RedisConnection } from '../redis/open-redis.js';
import { withLocalCeiling } from './local-ceiling.js';
import { memoryRateLimitStore } from './memory-rate-limit-store.js';
import { redisRateLimitStore } from './redis-rate-limit-store.js';

function capturedLog() {
  const lines: string[] = [];
  return { lines, logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) };
}

describe.skipIf(!canStartRedis)('a local ceiling behind a real Redis', () => {
  let server: RedisServer;
  let connection: RedisConnection;
  beforeAll(async () => {
    server = await startRedis({ persist: true });
    connection = await openRedis({ url: server.url, logger: pino({ level: 'silent' }), connectionName: 'test' });
  });
  afterAll(async () => {
    await connection.close();
    await server.remove();
  });

  it('limits through a crash and returns to the shared count after it', async () => {
    const { logger, lines } = capturedLog();
    const store = withLocalCeiling(redisRateLimitStore(connection.client), memoryRateLimitStore(), logger, {
      retryAfterMs: 50,
    });
    await store.hit('caller', 60_000);
    await store.hit('caller', 60_000);
    await server.kill();
    expect((await store.hit('caller', 60_000)).count).toBe(3);
    await server.restart();
    await vi.waitFor(
      async () => {
        await store.hit('another', 60_000);
        expect(lines.at(-1)).toContain('is available again');
      },
      { timeout: 10_000, interval: 25 },
    );
    expect((await store.hit('caller', 60_000)).count).toBe(3);
  });
});
