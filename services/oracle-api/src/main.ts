import { createLogger } from '@mlango/service-kit/logging';
import { readConfigOrExit, serve, startOrExit } from '@mlango/service-kit/process';
import { buildApp } from './app.js';
import { readConfig } from './config.js';
import { openDeps } from './deps.js';

const config = readConfigOrExit(() => readConfig(process.env));
const logger = createLogger({
  service: 'oracle-api',
  level: config.LOG_LEVEL,
  pretty: config.NODE_ENV === 'development' && process.stdout.isTTY,
});
const deps = await startOrExit(logger, openDeps(config, logger));
const app = await startOrExit(logger, buildApp(deps));
logger.info({ oracleDid: deps.oracle.did }, 'oracle identity');
await serve({ app, config, readiness: deps.readiness, logger, onClose: () => deps.close() });
