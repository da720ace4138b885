// The only static import: a Node that is too old would fail before the check, so the rest is loaded with import().
import '@mlango/service-kit/check-node';

const { createLogger } = await import('@mlango/service-kit/logging');
const { packageVersion, readConfigOrExit, serve, startOrExit } = await import('@mlango/service-kit/process');
const { buildApp } = await import('./app.js');
const { readConfig } = await import('./config.js');
const { openDeps } = await import('./deps.js');

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
