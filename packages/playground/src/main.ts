import { createLogger } from '@mlango/service-kit/logging';
import { packageVersion, readConfigOrExit, serve, startOrExit } from '@mlango/service-kit/process';
import { buildApp } from './app.js';
import { readConfig } from './config.js';
import { openDeps } from './deps.js';

const config = readConfigOrExit(() => readConfig(process.env));
const version = packageVersion(new URL('../package.json', import.meta.url));
const logger = createLogger({
  service: 'playground',
  level: config.LOG_LEVEL,
  pretty: config.NODE_ENV === 'development' && process.stdout.isTTY,
});
const deps = await startOrExit(logger, openDeps(config, version, logger));
const app = await startOrExit(logger, buildApp(deps));
await serve({ app, config, readiness: deps.readiness, logger, onClose: () => deps.close() });
