import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@mlango/service-kit/logging';
import { redisRateLimitStore } from '@mlango/service-kit/rate-limit';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { type SharedRedis, startSharedRedis } from '@mlango/test-services/redis-users';
import { canStartRedis } from '@mlango/test-services/servers';
import { redisReplayStore } from '@mlango/ucan-auth/redis-replay-store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseSse, type SseEvent } from '../src/runs/log/parse-sse.fixture.js';
import { RedisRunLogStore } from '../src/runs/log/redis.js';
import { runStoreContract } from '../src/runs/log/store.contract.js';
import { RedisRunSignals } from '../src/runs/redis-signals.js';
import { hubBusContract } from '../src/sockets/hub-bus.contract.js';
import { redisRecoveryTickets } from '../src/sockets/recovery.js';
import { recoveryTicketsContract } from '../src/sockets/recovery-tickets.contract.js';
import { redisHubBus } from '../src/sockets/redis-hub-bus.js';
import { runScript, type ServiceProcess, startService } from './service-process.fixture.js';

const textOf = (events: readonly SseEvent[]) =>
  events
    .map(({ event, data }) => (event === 'message' ? (JSON.parse(data) as { content: string }).content : ''))
    .join('');
const log = createLogger({ service: 'test', level: 'silent' });

describe.skipIf(!canStartRedis)('the oracle on a Redis shared with other programs', { timeout: 180_000 }, () => {
  let redis: SharedRedis;
  const connections: RedisConnection[] = [];
  let last: RedisConnection;
  const connect = async () => {
    const connection = await openRedis({ url: redis.urlOf('mlango-oracle'), logger: log, connectionName: 'test' });
    connections.push(connection);
    return connection;
  };
  beforeAll(async () => {
    redis = await startSharedRedis();
    last = await connect();
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await redis.remove();
  });

  // Every use of Redis, part by part.
  runStoreContract('Redis', () => new RedisRunLogStore(last.client, last.subscriber('runs'), { retentionMs: 60_000 }));
  recoveryTicketsContract('Redis', async () => redisRecoveryTickets(last.client));
  const buses: RedisConnection[] = [];
  hubBusContract('Redis', () => {
    const earlier = buses.splice(0);
    return async () => {
      // One shared channel: replicas of an earlier test would be counted.
      for (const connection of earlier.splice(0)) await connection.close();
      const connection = await connect();
      buses.push(connection);
      return redisHubBus({ client: connection.client, subscriber: connection.subscriber('realtime'), log });
    };
  });

  it('counts, claims and signals as its own Redis user', async () => {
    const { client, subscriber } = last;
    expect(await redisRateLimitStore(client, { service: 'oracle-api' }).hit('a', 60_000)).toMatchObject({ count: 1 });
    const replays = redisReplayStore(client, { prefix: 'oracle-api:ucan' });
    const expiresAt = Math.floor(Date.now() / 1000) + 60;
    expect([await replays.claim('cid', expiresAt), await replays.claim('cid', expiresAt)]).toEqual([true, false]);
    const signals = new RedisRunSignals(client, subscriber('stops'));
    const received = vi.fn<(word: object) => void>();
    signals.listen(received);
    await vi.waitFor(async () => {
      await signals.send({ kind: 'stop' });
      expect(received).toHaveBeenCalledWith({ kind: 'stop' });
    }, 15_000);
  });

  it('runs, resumes, aborts and deletes as a process, with keys of its own prefix and without refused commands', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'oracle-shared-'));
    const env = { DATA_DIR: dataDir, REDIS_URL: redis.urlOf('mlango-oracle'), LOCAL_MODEL_PACE_MS: '5' };
    let service: ServiceProcess | undefined;
    try {
      service = await startService(env);
      const { base } = service;
      const { stdout } = await runScript('dev-token', { DATA_DIR: dataDir });
      const auth = { authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan' };
      const json = { ...auth, 'content-type': 'application/json' };
      const post = (path: string, body: object) =>
        fetch(`${base}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
      const { sessionId } = (await (await post('/sessions', {})).json()) as { sessionId: string };
      const stream = await post(`/messages/${sessionId}`, { message: 'count to 20', stream: true });
      const events = parseSse(await stream.text());
      expect(events.at(-1)?.data).toContain('"finished"');
      const runId = stream.headers.get('x-run-id');
      const resumed = await (await fetch(`${base}/runs/${runId}?after=5`, { headers: auth })).text();
      expect(textOf(parseSse(resumed))).toBe(textOf(events.slice(5)));
      const aborted = post(`/messages/${sessionId}`, { message: 'count to 5000', stream: true });
      await vi.waitFor(
        async () => {
          const reply = await post('/messages/abort', { sessionId });
          expect(await reply.json()).toEqual({ success: true });
        },
        { timeout: 30_000, interval: 50 },
      );
      expect(await (await aborted).text()).toContain('"aborted"');
      const ready = await fetch(`${base}/health/ready`);
      expect(await ready.json()).toMatchObject({ checks: { redis: 'up' } });
      const keys = await redis.keys();
      expect(keys.some((name) => name.includes(`{${runId}}`))).toBe(true);
      expect(keys.filter((name) => !name.startsWith('oracle-api:'))).toEqual([]);
      await fetch(`${base}/sessions/${sessionId}`, { method: 'DELETE', headers: auth });
      expect((await redis.keys()).some((name) => name.includes(`{${runId}}`))).toBe(false);
    } finally {
      service?.child.kill('SIGTERM');
      await service?.exit;
      await rm(dataDir, { recursive: true, force: true });
    }
    expect(await redis.refusals()).toEqual([]);
  });
});
