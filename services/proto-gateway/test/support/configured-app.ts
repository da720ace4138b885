import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { buildApp } from '../../src/app.js';
import { type Config, readConfig } from '../../src/config.js';
import { type KnownCatalog, openCatalog } from '../../src/deps/open-catalog.js';
import { openDeps } from '../../src/deps.js';

/** The app that the process builds from these variables. Its dependencies are closed with it. */
export async function configuredApp(env: Readonly<Record<string, string>>): Promise<HttpApp> {
  const config = readConfig(env);
  const deps = await openDeps(
    config,
    catalogOf(config, env),
    '0.0.0',
    createLogger({ service: 'test', level: 'silent' }),
  );
  const app = await buildApp(deps);
  app.addHook('onClose', () => deps.close());
  // A test runs on the app's own event loop: a busy loop is no overload.
  return Object.assign(app, { isUnderPressure: () => false });
}

let defaultCatalog: KnownCatalog | undefined;

/** The catalog of a configuration. That of the defaults is read once, because reading all descriptors takes time. */
function catalogOf(config: Config, env: Readonly<Record<string, string>>): KnownCatalog {
  if (Object.keys(env).some((name) => name.startsWith('PROTO_'))) return openCatalog(config);
  defaultCatalog ??= openCatalog(config);
  return defaultCatalog;
}
