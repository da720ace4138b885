import { openDatabase } from '@mlango/service-kit/database';
import type { Logger } from '@mlango/service-kit/logging';
import type { Config } from '../config.js';
import type { DelegationStore } from '../store/delegation-store.js';
import { migrationsFolder } from '../store/migrations-folder.js';
import * as schema from '../store/schema.js';
import { SqlDelegationStore } from '../store/sql-delegation-store.js';

/** The store of delegations alone, on one connection: for commands beside the service. */
export async function openDelegationStore(
  config: Config,
  logger: Logger,
): Promise<{ store: DelegationStore; close: () => Promise<void> }> {
  const database = await openDatabase({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    dataDir: config.DATA_DIR,
    schema,
    migrationsFolder,
    logger,
    applicationName: 'oracle-api-cli',
    limits: { maxConnections: 1 },
  });
  return { store: new SqlDelegationStore(database.db), close: () => database.close() };
}
