import { readFileSync } from 'node:fs';
import { createLogger } from '@mlango/service-kit/logging';
import { readConfigOrExit, serve } from '@mlango/service-kit/process';
import { z } from 'zod';
import { buildApp } from './app.js';
import { readConfig } from './config.js';
import { openDeps } from './deps.js';

const manifest = z.object({ version: z.string() });
const { version } = manifest.parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

const config = readConfigOrExit(() => readConfig(process.env));
const logger = createLogger({
  service: 'ussd-gateway',
  level: config.LOG_LEVEL,
  pretty: config.NODE_ENV === 'development' && process.stdout.isTTY,
});

try {
  const deps = await openDeps(config, logger, version);
  const app = await buildApp(deps);
  await serve({
    app,
    host: config.HOST,
    port: config.PORT,
    readiness: deps.readiness,
    logger,
    drainDelayMs: config.DRAIN_DELAY_MS,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    onClose: deps.close,
  });
} catch (error) {
  logger.fatal({ err: error }, 'the service could not start');
  process.exit(1);
}
