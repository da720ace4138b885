import { attemptAll } from '@mlango/async/attempt-all';
import { openDatabase } from '@mlango/service-kit/database';
import { databaseAddresses } from '@mlango/service-kit/env';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { serviceRateLimitStore } from '@mlango/service-kit/rate-limit';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { AccountDataStore } from '../account/account-data-store.js';
import { Approvals } from '../agent/loop/sql-approvals.js';
import { CallRecords } from '../agent/loop/sql-call-records.js';
import { SuspendedRuns } from '../agent/loop/suspended-runs.js';
import type { Config, StoresConfig } from '../config.js';
import { ApiKeyStore } from '../identity/api-key-store.js';
import { DelegationStore } from '../identity/delegation-store.js';
import type { OracleIdentity } from '../identity/oracle-identity.js';
import { ownedTables } from '../plugins/host/plugin-tables.js';
import type { ResolvedPlugin } from '../plugins/host/resolve-features.js';
import { PluginStateStore } from '../plugins/host/state/plugin-state-store.js';
import { MemoryRunLogStore } from '../runs/log/memory.js';
import { RedisRunLogStore } from '../runs/log/redis.js';
import type { RunLogStore } from '../runs/log/store.js';
import { RedisRunSignals } from '../runs/redis-signals.js';
import { MemoryRunSignals, type RunSignals } from '../runs/signals.js';
import { sqlRunRepository } from '../runs/sql-run-repository.js';
import { UsageOutbox } from '../runs/usage-outbox.js';
import type { Realtime } from '../sockets/realtime.js';
import { ConversationStore } from '../store/conversation-store.js';
import { migrationsFolder } from '../store/database.js';
import * as schema from '../store/oracle-schema.js';
import { PreferencesStore } from '../store/preferences.js';
import { MessageRetention } from '../store/retention.js';
import { MessageSearch } from '../store/search.js';
import { SummaryStore } from '../store/summaries.js';
import { TurnMemory } from '../store/turn-memory.js';

import { readPluginRoles } from './plugin-settings.js';

/** Characters of frames that a process without Redis stores, for all runs together. */
const runLogChars = 64 * 1024 * 1024;

/** Settings of the database and of the plugins' roles in it. */
type DatabaseConfig = Pick<Config, 'stores' | 'plugins'>;

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Opens the database, Redis, and all stores on them. */
export async function openStores(
  config: DatabaseConfig & Pick<Config, 'runs'>,
  logger: Logger,
  plugins: readonly ResolvedPlugin[],
  closers: Closers,
) {
  const use = { applicationName: 'oracle-api', maxConnections: config.stores.DATABASE_POOL_MAX };
  const database = await openOracleDatabase(config, logger, use, plugins);
  closers.push(() => database.close());
  const redis = await openSharedRedis(config.stores, logger);
  closers.push(async () => redis?.close());
  const { db, aside, stale, brief, briefPrimary } = database;
  const retentionMs = config.runs.RUN_RETENTION_HOURS * 3_600_000;
  const [conversations, summaries] = [new ConversationStore(db, briefPrimary), new SummaryStore(db)];
  return {
    database,
    redis,
    // Limits work without Redis, so readiness does not check it here.
    counts: serviceRateLimitStore(redis, 'oracle-api', logger),
    conversations,
    memory: new TurnMemory(db, { conversations, summaries }),
    search: new MessageSearch(brief),
    retention: new MessageRetention(db),
    ownData: new AccountDataStore(db, stale),
    summaries,
    runRepository: sqlRunRepository(db, { leases: aside, stale }),
    calls: new CallRecords(db),
    paused: new SuspendedRuns(db),
    approvals: new Approvals(db),
    usageOutbox: new UsageOutbox(db),
    preferences: new PreferencesStore(db),
    delegations: new DelegationStore(db),
    apiKeys: new ApiKeyStore(db),
    pluginState: new PluginStateStore(db),
    /** Time for which finished runs are stored. */
    retentionMs,
    ...openRuns(redis, { retentionMs, framesMs: config.runs.RUN_FRAMES_MINUTES * 60_000 }),
  };
}

async function openSharedRedis(config: StoresConfig, logger: Logger): Promise<RedisConnection | undefined> {
  if (config.REDIS_URL === undefined) return undefined;
  return openRedis({ url: config.REDIS_URL, ca: config.REDIS_CA, logger, connectionName: 'oracle-api' });
}

/** Dependencies of both plugins and turns. */
export interface ProcessParts {
  readonly oracle: OracleIdentity;
  readonly stores: Stores;
  readonly realtime: Realtime;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The oracle's database, migrated with the tables of its plugins: for the service and for its commands. */
export function openOracleDatabase(
  config: DatabaseConfig,
  logger: Logger,
  use: { readonly applicationName: string; readonly maxConnections: number },
  plugins: readonly ResolvedPlugin[] = [],
) {
  return openDatabase({
    ...databaseAddresses(config.stores),
    dataDir: config.stores.DATA_DIR,
    schema,
    migrationsFolder,
    ownedTables: ownedTables(plugins, readPluginRoles(config.plugins, config.stores)),
    logger,
    applicationName: use.applicationName,
    limits: { maxConnections: use.maxConnections },
    prepare: true,
  });
}

/** The names of the oracle's own tables. */
export const oracleTables: readonly string[] = Object.values(schema).flatMap((one) =>
  is(one, PgTable) ? [getTableName(one)] : [],
);

/** With Redis any replica can read, resume and stop any run; without it frames exist only while the process runs. */
function openRuns(
  redis: RedisConnection | undefined,
  times: { retentionMs: number; framesMs: number },
): { runs: RunLogStore; signals: RunSignals } {
  if (redis === undefined) {
    return {
      runs: new MemoryRunLogStore({ ...times, limitChars: runLogChars }, Date.now),
      signals: new MemoryRunSignals(),
    };
  }
  const subscriber = redis.subscriber('runs');
  return {
    runs: new RedisRunLogStore(redis.client, subscriber, times),
    signals: new RedisRunSignals(redis.client, subscriber),
  };
}

/** Opens only the store of delegations, on one connection, for commands that run while the service runs. */
export async function openDelegationStore(
  config: DatabaseConfig,
  logger: Logger,
): Promise<{ store: DelegationStore; close: () => Promise<void> }> {
  const database = await openOracleDatabase(config, logger, { applicationName: 'oracle-api-cli', maxConnections: 1 });
  return { store: new DelegationStore(database.db), close: () => database.close() };
}

/** Close functions in the order of opening. */
export type Closers = (() => Promise<void>)[];

/** Closes in reverse order, each once. Calls every closer, then rejects with the first failure. */
export function closeAll(closers: Closers): Promise<void> {
  return attemptAll(closers.splice(0).reverse());
}
