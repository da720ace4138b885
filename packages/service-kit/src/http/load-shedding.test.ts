import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../logging/index.js';
import { createMetrics } from '../metrics/metrics.js';
import { createHttpApp } from './create-http-app.js';
import { Readiness } from './health.js';
import type { HttpApp } from './http-app-type.js';

/** A fifth of the defaults in time, and in proportion. */
const overload = { sampleMs: 200, maxEventLoopDelayMs: 100 };

let app: HttpApp;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  lines = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  app = await createHttpApp({
    version: '1.2.3',
    logger: createLogger({ service: 'test', level: 'info', destination }),
    trustProxy: false,
    bodyLimitBytes: 1024,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'test', version: '1.2.3' }),
    metricsAccess: { open: true },
    overload,
  });
  app.get('/work', () => 'done');
  await app.ready();
});
afterEach(() => app.close());

describe('a process that is overloaded', () => {
  it('refuses with 503 and Retry-After, answers probes, and accepts requests again after recovery', async () => {
    expect((await app.inject('/work')).statusCode).toBe(200);
    await keepBusyUntil(() => app.isUnderPressure());
    const refused = await app.inject('/work');
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.json()).toEqual({ statusCode: 503, error: 'Service Unavailable', message: expect.any(String) });
    for (const probe of ['/health/live', '/health/ready']) {
      expect((await app.inject(probe)).statusCode, probe).toBe(200);
    }
    await vi.waitFor(async () => expect((await app.inject('/work')).statusCode).toBe(200), {
      timeout: 20_000,
      interval: 50,
    });
  }, 60_000);

  it('logs one line a sample with the number of refusals and without a stack', async () => {
    await keepBusyUntil(() => app.isUnderPressure());
    const replies = await Promise.all(Array.from({ length: 500 }, () => app.inject('/work')));
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 20_000, interval: 20 });
    expect(lines[0]).toMatchObject({ level: 40, refused: 500, msg: 'overloaded: requests were refused' });
    expect(JSON.stringify(lines)).not.toMatch(/stack|load-shedding\.ts| {4}at /);
    expect((await app.inject('/metrics')).body).toMatch(/^requests_refused_total\{limiter="overload".*\} 500$/m);
  }, 60_000);

  it('logs its last refusals when it closes', async () => {
    await keepBusyUntil(() => app.isUnderPressure());
    await app.inject('/work');
    await app.close();
    expect(lines).toMatchObject([{ refused: 1 }]);
  }, 60_000);

  it('ignores a sample from before it listened', async () => {
    await keepBusyUntil(() => app.isUnderPressure());
    await app.listen({ host: '127.0.0.1', port: 0 });
    // Initialises everything that the first requests need at once, within the first sample.
    holdLoop(2.5 * overload.sampleMs);
    expect((await app.inject('/work')).statusCode).toBe(200);
  }, 60_000);

  it('is not one that was busy before it listened', async () => {
    await keepBusyUntil(() => app.isUnderPressure());
    expect((await app.inject('/work')).statusCode).toBe(503);
    await app.listen({ host: '127.0.0.1', port: 0 });
    expect(app.isUnderPressure()).toBe(true);
    expect((await app.inject('/work')).statusCode).toBe(200);
    // Load counts from now on.
    await vi.waitFor(
      async () => {
        await keepBusyUntil(() => app.isUnderPressure());
        expect((await app.inject('/work')).statusCode).toBe(503);
      },
      { timeout: 20_000, interval: 1 },
    );
  }, 60_000);
});

/** Blocks the event loop for most of each sample, until the overload has been noticed. */
async function keepBusyUntil(noticed: () => boolean): Promise<void> {
  for (let round = 0; round < 20 && !noticed(); round += 1) {
    holdLoop(0.9 * overload.sampleMs);
    await wait(1);
  }
  expect(noticed()).toBe(true);
}

function holdLoop(forMs: number): void {
  const until = performance.now() + forMs;
  while (performance.now() < until);
}
