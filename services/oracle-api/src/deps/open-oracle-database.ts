import { type OwnedMigration, openDatabase } from '@mlango/service-kit/database';
import { databaseAddresses } from '@mlango/service-kit/env';
import type { Logger } from '@mlango/service-kit/logging';
import type { Config } from '../config.js';
import { migrationsFolder } from '../store/migrations-folder.js';
import * as schema from '../store/oracle-schema.js';

/** The oracle's database, migrated: for the service, and for commands beside it. */
export function openOracleDatabase(
  config: Config,
  logger: Logger,
  use: { readonly applicationName: string; readonly maxConnections: number },
  /** Of plugins: for the service, and for what goes before it. */
  ownedMigrations: readonly OwnedMigration[] = [],
) {
  return openDatabase({
    ...databaseAddresses(config),
    dataDir: config.DATA_DIR,
    schema,
    migrationsFolder,
    ownedMigrations,
    logger,
    applicationName: use.applicationName,
    limits: { maxConnections: use.maxConnections },
    prepare: true,
  });
}
