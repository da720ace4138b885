import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canStartPostgres, canStartRedis, startPostgres, startRedis } from '@mlango/test-services/servers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
  const { stdout } = await runScript('dev-token.ts', { DATA_DIR: dataDir });
  const headers = { authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan' };
  return { ...service, createSession: () => fetch(`${service.base}/sessions`, { method: 'POST', headers }) };
}

describe.skipIf(!canStartPostgres)('with Postgres away', { timeout: 60_000 }, () => {
  it('the service says 503 and not why, stays alive, and recovers by itself', async () => {
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

describe.skipIf(!canStartRedis)('with Redis away', { timeout: 60_000 }, () => {
  it('rate limits are counted in the process, and shared again when it is back', async () => {
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
    // An empty Redis knows nothing of the hits before: what it counts is from now on.
    await vi.waitFor(async () => expect((await createSession()).status).toBe(201), { timeout: 20_000, interval: 200 });
  });
});
