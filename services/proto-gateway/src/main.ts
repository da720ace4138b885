// The only static import. The rest is loaded with import(), because an old Node would fail before the check.
import '@mlango/service-kit/check-node';

const { readCommand } = await import('@mlango/service-kit/command');
readCommand();
const { createLogger } = await import('@mlango/service-kit/logging');
const { packageVersion, readConfigOrExit, serve, startOrExit } = await import('@mlango/service-kit/process');
const { buildApp } = await import('./app.js');
const { readConfig, unknownSettings } = await import('./config.js');
const { openDeps } = await import('./deps.js');
const { openCatalog } = await import('./deps/open-catalog.js');

const config = readConfigOrExit(() => readConfig(process.env));
const catalog = readConfigOrExit(() => openCatalog(config));
const version = packageVersion(new URL('../package.json', import.meta.url));
const logger = createLogger({
  service: 'proto-gateway',
  level: config.telemetry.LOG_LEVEL,
  pretty: config.http.NODE_ENV === 'development' && process.stdout.isTTY,
});
for (const variable of unknownSettings(process.env)) logger.warn({ variable }, 'unknown setting has no effect');
const deps = await startOrExit(logger, openDeps(config, catalog, version, logger));
const app = await startOrExit(logger, buildApp(deps));
await serve({ app, config: config.http, readiness: deps.readiness, logger, onClose: () => deps.close() });
