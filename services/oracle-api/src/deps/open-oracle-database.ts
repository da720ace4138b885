import { openDatabase } from '@mlango/service-kit/database';
import { databaseAddresses } from '@mlango/service-kit/env';
import type { Logger } from '@mlango/service-kit/logging';
import type { Config } from '../config.js';
import { ownedTables } from '../plugins/host/own-tables.js';
import type { ResolvedPlugin } from '../plugins/host/resolve-features.js';
import { migrationsFolder } from '../store/database.js';
import * as schema from '../store/oracle-schema.js';
import { readPluginRoles } from './plugin-settings.js';

/** The oracle's database, migrated with the tables of its plugins: for the service and for its commands. */
export function openOracleDatabase(
  config: Config,
  logger: Logger,
  use: { readonly applicationName: string; readonly maxConnections: number },
  plugins: readonly ResolvedPlugin[] = [],
) {
  return openDatabase({
    ...databaseAddresses(config),
    dataDir: config.DATA_DIR,
    schema,
    migrationsFolder,
    ownedTables: ownedTables(plugins, readPluginRoles(config)),
    logger,
    applicationName: use.applicationName,
    limits: { maxConnections: use.maxConnections },
    prepare: true,
  });
}
