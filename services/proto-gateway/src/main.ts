import { readFile } from 'node:fs/promises';
import { createLogger } from '@mlango/service-kit/logging';
import { readConfigOrExit, serve } from '@mlango/service-kit/process';
import { buildApp } from './app.js';
import { readConfig } from './config.js';
import { openCatalog, openDeps } from './deps.js';

const config = readConfigOrExit(() => readConfig(process.env));
const catalog = readConfigOrExit(() => openCatalog(config));
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const logger = createLogger({
  service: 'proto-gateway',
  level: config.LOG_LEVEL,
  pretty: config.NODE_ENV === 'development' && process.stdout.isTTY,
});
const deps = await openDeps(config, catalog, version, logger);
const app = await buildApp(deps);
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
