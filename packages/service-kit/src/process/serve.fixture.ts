/** A process for the tests of `serve`: one route that answers once the app closes, one that never does, a store to close last. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Readiness } from '../http/health.js';
import { createHttpApp } from '../http/index.js';
import { createLogger } from '../logging/index.js';
import { createMetrics } from '../metrics/metrics.js';
import { serve } from './serve.js';

const logger = createLogger({ service: 'fixture', level: 'info' });
const readiness = new Readiness({});
const app = await createHttpApp({
  version: '0.0.0',
  logger,
  trustProxy: false,
  bodyLimitBytes: 1024,
  readiness,
  metrics: createMetrics({ service: 'fixture', version: '0.0.0' }),
  metricsAccess: { open: true },
});
app.get('/quick', async () => 'ok');
const closing = new Promise<void>((resolve) => {
  app.addHook('preClose', async () => resolve());
});
app.get('/slow', async () => {
  await closing;
  await sleep(100);
  return 'slow but whole';
});
app.get('/hang', () => new Promise(() => {}));
app.get('/crash', () => {
  setImmediate(() => {
    throw new Error('out of the blue');
  });
  return 'soon';
});
if (process.env['CLOSE_FAILS'] !== undefined) {
  app.addHook('onClose', async () => {
    throw new Error('hook failed');
  });
}
await serve({
  app,
  config: {
    HOST: '127.0.0.1',
    PORT: Number(process.env['PORT']),
    DRAIN_DELAY_MS: Number(process.env['DRAIN_DELAY_MS'] ?? 300),
    SHUTDOWN_TIMEOUT_MS: Number(process.env['SHUTDOWN_TIMEOUT_MS'] ?? 30_000),
  },
  readiness,
  logger,
  lastRequestMs: Number(process.env['FAREWELL_MS'] ?? 250),
  onClose: async () => {
    logger.info('store closed');
  },
});
