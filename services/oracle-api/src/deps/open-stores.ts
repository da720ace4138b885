import type { Logger } from '@mlango/service-kit/logging';
import { serviceRateLimitStore } from '@mlango/service-kit/rate-limit';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { sqlAccountData } from '../account/sql-account-data.js';
import { sqlApprovals } from '../agent/loop/approvals.js';
import { sqlCallRecords } from '../agent/loop/sql-call-records.js';
import { sqlPausedTurns } from '../agent/loop/suspended-runs.js';
import { sqlUntoldUsage } from '../agent/usage-outbox.js';
import type { Config } from '../config.js';
import { sqlApiKeyStore } from '../identity/sql-api-key-store.js';
import type { ResolvedPlugin } from '../plugins/host/resolve-features.js';
import { sqlPluginStateStore } from '../plugins/host/state/sql-plugin-state-store.js';
import { sqlRunRegister } from '../runs/sql-run-repository.js';
import { sqlDelegationStore } from '../store/delegations.js';
import { sqlPreferencesStore } from '../store/preferences.js';
import { sqlMessageRetention } from '../store/retention.js';
import { sqlMessageSearch } from '../store/search.js';
import { sqlConversationStore } from '../store/sql-sessions.js';
import { sqlSummaryStore } from '../store/summaries.js';
import { sqlTurnMemory } from '../store/turn-memory.js';
import type { Closers } from './closers.js';
import { openOracleDatabase } from './open-oracle-database.js';
import { openRuns } from './open-runs.js';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** All that the oracle keeps, in the database, and in Redis or in this process. */
export async function openStores(config: Config, logger: Logger, plugins: readonly ResolvedPlugin[], closers: Closers) {
  const use = { applicationName: 'oracle-api', maxConnections: config.DATABASE_POOL_MAX };
  const database = await openOracleDatabase(config, logger, use, plugins);
  closers.push(() => database.close());
  const redis = await openSharedRedis(config, logger);
  closers.push(async () => redis?.close());
  const { db, aside, stale, brief, briefPrimary } = database;
  const retentionMs = config.RUN_RETENTION_HOURS * 3_600_000;
  const [conversations, summaries] = [sqlConversationStore(db, briefPrimary), sqlSummaryStore(db)];
  return {
    database,
    redis,
    // Limits do without Redis, so readiness does not ask for it.
    counts: serviceRateLimitStore(redis, 'oracle-api', logger),
    conversations,
    memory: sqlTurnMemory(db, { conversations, summaries }),
    search: sqlMessageSearch(brief),
    retention: sqlMessageRetention(db),
    ownData: sqlAccountData(db, stale),
    summaries,
    register: sqlRunRegister(db, { aside, stale }),
    calls: sqlCallRecords(db),
    paused: sqlPausedTurns(db),
    approvals: sqlApprovals(db),
    untold: sqlUntoldUsage(db),
    preferences: sqlPreferencesStore(db),
    delegations: sqlDelegationStore(db),
    apiKeys: sqlApiKeyStore(db),
    pluginState: sqlPluginStateStore(db),
    /** How long what is known of a run that has ended is kept. */
    retentionMs,
    ...openRuns(redis, { retentionMs, framesMs: config.RUN_FRAMES_MINUTES * 60_000 }),
  };
}

async function openSharedRedis(config: Config, logger: Logger): Promise<RedisConnection | undefined> {
  if (config.REDIS_URL === undefined) return undefined;
  return openRedis({ url: config.REDIS_URL, ca: config.REDIS_CA, logger, connectionName: 'oracle-api' });
}
