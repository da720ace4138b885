import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillRedis } from '@mlango/test-services/full-redis';
import { canStartPostgres, canStartRedis, startPostgres, startRedis } from '@mlango/test-services/servers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import { runScript, startService } from './service-process.fixture.js';

let dataDir: string;
const cleanUps: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'oracle-outage-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string>) {
  const service = await startService({ DATA_DIR: dataDir, LOCAL_MODEL_PACE_MS: '0', ...env });
  cleanUps.push(async () => {
    service.child.kill('SIGKILL');
    await service.exit;
  });
  const { stdout } = await runScript('dev-token', { DATA_DIR: dataDir });
  const headers = { authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan' };
  return { ...service, headers, createSession: () => fetch(`${service.base}/sessions`, { method: 'POST', headers }) };
}

describe.skipIf(!canStartPostgres)('while Postgres is unavailable', { timeout: 60_000 }, () => {
  it('the service answers 503 without a cause, stays alive, and recovers', async () => {
    const postgres = await startPostgres();
    cleanUps.push(() => postgres.remove());
    const { base, createSession } = await start({ DATABASE_URL: postgres.url });
    expect((await createSession()).status).toBe(201);

    await postgres.kill();
    const refused = await createSession();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await refused.json()).toEqual({
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'Service temporarily unavailable',
    });
    expect((await fetch(`${base}/health`)).status).toBe(200);
    expect((await fetch(`${base}/health/ready`)).status).toBe(503);

    await postgres.restart();
    await vi.waitFor(async () => expect((await createSession()).status).toBe(201), { timeout: 20_000, interval: 200 });
    expect((await fetch(`${base}/health/ready`)).status).toBe(200);
  });
});

describe.skipIf(!canStartRedis)('while Redis is unavailable', { timeout: 60_000 }, () => {
  it('rate limits are counted in the process, and shared again after its return', async () => {
    const redis = await startRedis();
    cleanUps.push(() => redis.remove());
    const { createSession } = await start({ REDIS_URL: redis.url, RATE_LIMIT_MAX: '3' });
    expect((await createSession()).status).toBe(201);
    await redis.kill();
    expect((await createSession()).status).toBe(201);
    expect((await createSession()).status).toBe(201);
    const refused = await createSession();
    expect([refused.status, ((await refused.json()) as { statusCode: number }).statusCode]).toEqual([429, 429]);
    await redis.restart();
    // An empty Redis has no earlier hits; it counts from now on.
    await vi.waitFor(async () => expect((await createSession()).status).toBe(201), { timeout: 20_000, interval: 200 });
  });
});

describe.skipIf(!canStartRedis)('while Redis is full', { timeout: 180_000 }, () => {
  it('streams are refused and other requests served, a running stream loses nothing, and the service recovers', async () => {
    const redis = await startRedis();
    cleanUps.push(() => redis.remove());
    const { base, headers, createSession } = await start({ REDIS_URL: redis.url, LOCAL_MODEL_PACE_MS: '40' });
    const json = { ...headers, 'content-type': 'application/json' };
    const newSession = async () => ((await (await createSession()).json()) as { sessionId: string }).sessionId;
    const send = (sessionId: string, body: object) =>
      fetch(`${base}/messages/${sessionId}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
    const textOf = (events: ReturnType<typeof parseSse>) =>
      events.map(({ event, data }) => (event === 'message' ? (JSON.parse(data) as { content: string }).content : ''));
    const isReady = async () => {
      const reply = await fetch(`${base}/health/ready`);
      return [reply.status, ((await reply.json()) as { checks: { redis: string } }).checks.redis];
    };
    const sessionId = await newSession();
    expect(await isReady()).toEqual([200, 'up']);
    const counting = await send(sessionId, { message: 'count to 60', stream: true });

    const { empty } = await fillRedis(redis.url);
    const refused = await send(await newSession(), { message: 'hi', stream: true });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ message: 'Service temporarily unavailable' });
    const whole = await send(await newSession(), { message: 'count to 3' });
    expect(whole.status).toBe(200);
    expect(await isReady()).toEqual([503, 'down']);
    expect(await (await fetch(`${base}/metrics`)).text()).toMatch(/^redis_writable\{.*\} 0$/m);
    const statuses = await Promise.all(
      ['/sessions', '/health', `/messages/${sessionId}`, `/sessions/${sessionId}/run`].map(
        async (path) => (await fetch(`${base}${path}`, { headers })).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 200]);

    // The turn ends while its last frames cannot be stored; the reader gets them later.
    const answered = async () => {
      const reply = await fetch(`${base}/messages/${sessionId}`, { headers });
      return ((await reply.json()) as { messages: { content: string }[] }).messages[1]?.content;
    };
    await vi.waitFor(async () => expect(await answered()).toBeDefined(), { timeout: 20_000, interval: 200 });
    await empty();
    expect(textOf(parseSse(await counting.text())).join('')).toBe(await answered());
    await vi.waitFor(async () => expect(await isReady()).toEqual([200, 'up']), { timeout: 10_000, interval: 100 });
    const streamed = await send(await newSession(), { message: 'count to 3', stream: true });
    expect([streamed.status, textOf(parseSse(await streamed.text())).length > 1]).toEqual([200, true]);
  });
});
