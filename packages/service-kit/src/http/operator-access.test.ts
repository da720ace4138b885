import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../logging/index.js';
import { createMetrics } from '../metrics/metrics.js';
import { memoryRateLimitStore } from '../rate-limit/index.js';
import { Readiness } from './health.js';
import { createHttpApp, type HttpApp } from './index.js';
import type { OperatorAccess } from './operator-access.js';

const token = 'a-token-of-an-operator';
let app: HttpApp;
afterEach(async () => app.close());

async function open(metricsAccess: OperatorAccess, max = 3): Promise<void> {
  app = await createHttpApp({
    version: '0.0.0',
    logger: createLogger({ service: 'test', level: 'silent' }),
    trustProxy: false,
    bodyLimitBytes: 1024,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'test', version: '0.0.0' }),
    metricsAccess,
    rateLimit: { max, windowMs: 60_000, store: memoryRateLimitStore() },
  });
}

const statusWith = async (presented: string | undefined, remoteAddress = '198.51.100.1'): Promise<number> => {
  const headers = presented === undefined ? {} : { authorization: `Bearer ${presented}` };
  return (await app.inject({ url: '/metrics', headers, remoteAddress })).statusCode;
};

describe('an operator token', () => {
  it('is not compared for an address that has presented as many wrong ones as its rate limit allows', async () => {
    await open({ token, open: false });
    for (const expected of [401, 401, 401, 429]) expect(await statusWith('wrong')).toBe(expected);
    expect(await statusWith(token)).toBe(429);
    expect(await statusWith(token, '198.51.100.2')).toBe(200);
  });

  it('cannot be guessed beyond the limit by requests in parallel', async () => {
    await open({ token, open: false });
    const statuses = await Promise.all(Array.from({ length: 30 }, () => statusWith('wrong')));
    expect(statuses.filter((status) => status === 401)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(27);
  });

  it('consumes no limit if it is right, missing or not needed', async () => {
    await open({ token, open: false });
    for (let request = 0; request < 10; request += 1) expect(await statusWith(token)).toBe(200);
    for (let request = 0; request < 10; request += 1) expect(await statusWith(undefined)).toBe(401);
    expect(await statusWith(token)).toBe(200);
    await app.close();
    await open({ open: true });
    for (let request = 0; request < 10; request += 1) expect(await statusWith('any')).toBe(200);
  });
});
