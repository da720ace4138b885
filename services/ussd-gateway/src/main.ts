// The only static import: the others would fail on an older Node before this check runs.
import '@mlango/service-kit/check-node';

const { readCommand } = await import('@mlango/service-kit/command');
const command = readCommand('migrate', 'move');
const { createLogger } = await import('@mlango/service-kit/logging');
const { migrateAndEnd, moveAndEnd, packageVersion, readConfigOrExit, serve, startOrExit, usingDataDir } = await import(
  '@mlango/service-kit/process'
);
const { buildApp } = await import('./app.js');
const { readConfig } = await import('./config.js');
const { openDeps } = await import('./deps.js');

const config = readConfigOrExit(() => readConfig(process.env));
const version = packageVersion(new URL('../package.json', import.meta.url));
const logger = createLogger({
  service: 'ussd-gateway',
  level: config.telemetry.LOG_LEVEL,
  pretty: config.http.NODE_ENV === 'development' && process.stdout.isTTY,
});
if (command === 'migrate') {
  const { openAccounts } = await import('./deps/open-accounts.js');
  const opening = usingDataDir(config.stores.DATA_DIR, openAccounts(config, logger));
  await migrateAndEnd((await startOrExit(logger, opening)).database, logger);
} else if (command === 'move') {
  const { openAccounts } = await import('./deps/open-accounts.js');
  const open = async (stores: typeof config.stores) => (await openAccounts({ ...config, stores }, logger)).database;
  await moveAndEnd(config.stores, open, logger);
} else {
  const deps = await startOrExit(logger, usingDataDir(config.stores.DATA_DIR, openDeps(config, logger, version)));
  const app = await startOrExit(logger, buildApp(deps));
  await serve({ app, config: config.http, readiness: deps.readiness, logger, onClose: deps.close });
}
