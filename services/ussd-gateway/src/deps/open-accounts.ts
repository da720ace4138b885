import { randomBytes } from 'node:crypto';
import { migrationsFolderOf, openDatabase } from '@mlango/service-kit/database';
import { databaseAddresses } from '@mlango/service-kit/env';
import type { Logger } from '@mlango/service-kit/logging';
import { AccountStore } from '../accounts/account-store.js';
import { issueOneTimeCode, type OneTimeCodes } from '../accounts/one-time-code.js';
import { loadPinKeys } from '../accounts/pin-keys.js';
import { pinVault } from '../accounts/pin-vault.js';
import * as accountTables from '../accounts/schema.js';
import * as analyticsTables from '../analytics/schema.js';
import type { Config } from '../config.js';
import * as effectTables from '../effects/schema.js';
import * as identityTables from '../phone-identity/schema.js';
import { sqlSubscriberRecords } from '../stored-data/subscriber-data.js';
import { backEndLimitMs } from './back-end-limit.js';

/** Opens the database and keys: the parts that the CLI commands need. */
export async function openAccounts(config: Config, logger: Logger) {
  const keys = loadPinKeys({
    configured: config.accounts.PIN_ENCRYPTION_KEY,
    earlier: config.accounts.PIN_ENCRYPTION_KEYS_OLD,
    dataDir: config.stores.DATA_DIR,
    logger,
  });
  const database = await openDatabase({
    ...databaseAddresses(config.stores),
    dataDir: config.stores.DATA_DIR,
    schema: { ...accountTables, ...effectTables, ...identityTables, ...analyticsTables },
    migrationsFolder,
    logger,
    applicationName: 'ussd-gateway',
    limits: databaseLimits(config),
    prepare: true,
  });
  const { db } = database;
  return {
    database,
    keys,
    store: new AccountStore(db),
    subscribers: sqlSubscriberRecords(db),
    vault: pinVault(keys),
  };
}

export function oneTimeCodesOf(config: Config, logger: Logger, accounts: Pick<OneTimeCodes, 'store' | 'vault'>) {
  const options = { ...accounts, randomBytes, lifeMinutes: config.accounts.ONE_TIME_PIN_MINUTES, logger };
  return { issue: (customerId: string, by: string) => issueOneTimeCode(customerId, by, options) };
}

/** The share of the hop deadline that may pass before a database connection is free. */
const slotShare = 0.8;

function databaseLimits(config: Config) {
  const limitMs = backEndLimitMs(config);
  return {
    maxConnections: config.stores.DATABASE_POOL_MAX,
    connectTimeoutMs: limitMs,
    statementTimeoutMs: limitMs,
    slotWaitMs: Math.ceil(config.sessions.HOP_DEADLINE_MS * slotShare),
  };
}

/** The SQL migrations of this service. */
export const migrationsFolder = migrationsFolderOf(import.meta.url);
