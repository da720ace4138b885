import { createLogger } from '@mlango/service-kit/logging';
import { readConfigOrExit, serve } from '@mlango/service-kit/process';
import { buildApp } from './app.js';
import { readConfig } from './config.js';
import { openDeps } from './deps.js';

const config = readConfigOrExit(() => readConfig(process.env));
const logger = createLogger({ service: 'oracle-api', level: config.LOG_LEVEL });
const deps = await openDeps(config, logger).catch((error: unknown) => {
  logger.fatal({ err: error }, 'the service cannot start');
  process.exit(1);
});
const app = await buildApp(deps);
logger.info({ oracleDid: deps.oracle.did }, 'oracle identity');
await serve({
  app,
  host: config.HOST,
  port: config.PORT,
  readiness: deps.readiness,
  logger,
  drainDelayMs: config.DRAIN_DELAY_MS,
  shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
  onClose: () => deps.close(),
});
