/** A process for the tests of `serve`: one slow route, one stream that ends when the app closes, a store to close last. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Readiness } from '../health.js';
import { createHttpApp } from '../http-app.js';
import { createLogger } from '../logging.js';
import { createMetrics } from '../metrics.js';
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
app.get('/slow', async () => {
  await sleep(600);
  return 'slow but whole';
});
app.get('/hang', () => new Promise(() => {}));
app.get('/crash', () => {
  setImmediate(() => {
    throw new Error('out of the blue');
  });
  return 'soon';
});
await serve({
  app,
  config: {
    HOST: '127.0.0.1',
    PORT: Number(process.env['PORT']),
    DRAIN_DELAY_MS: 300,
    SHUTDOWN_TIMEOUT_MS: Number(process.env['SHUTDOWN_TIMEOUT_MS'] ?? 5000),
  },
  readiness,
  logger,
  onClose: async () => {
    logger.info('store closed');
  },
});
