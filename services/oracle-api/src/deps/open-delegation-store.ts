import type { Logger } from '@mlango/service-kit/logging';
import type { Config } from '../config.js';
import { type DelegationStore, sqlDelegationStore } from '../store/delegations.js';
import { openOracleDatabase } from './open-oracle-database.js';

/** The store of delegations alone, on one connection: for commands beside the service. */
export async function openDelegationStore(
  config: Config,
  logger: Logger,
): Promise<{ store: DelegationStore; close: () => Promise<void> }> {
  const database = await openOracleDatabase(config, logger, { applicationName: 'oracle-api-cli', maxConnections: 1 });
  return { store: sqlDelegationStore(database.db), close: () => database.close() };
}
