import { randomUUID } from 'node:crypto';
import { createOutbound } from '@mlango/outbound/outbound';
import { databaseMetrics } from '@mlango/service-kit/database';
import { Readiness } from '@mlango/service-kit/health';
import type { Logger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { trustedProxies } from '@mlango/service-kit/proxies';
import { redisWritableGauge, redisWrites } from '@mlango/service-kit/redis';
import { semaphoreMetrics } from '@mlango/service-kit/shared-pools';
import { startTracing } from '@mlango/service-kit/tracing';
import { Account } from './account/account.js';
import { DailyMessages } from './agent/admission.js';
import type { Config, HttpConfig } from './config.js';
import { openAuthority } from './deps/authority.js';
import { liveGauges, pluginGauges, runGauges, tableGauges } from './deps/gauges.js';
import { openPlugins, type PluginSetup } from './deps/plugins.js';
import { openRealtime } from './deps/sockets.js';
import { type Closers, closeAll, openStores } from './deps/stores.js';
import { openTurns } from './deps/turns.js';
import { docsSandbox } from './http/docs-sandbox.js';
import { streamTimes } from './http/runs.js';
import { ApiKeys } from './identity/api-keys.js';
import { oracleIdentity } from './identity/oracle-identity.js';
import { addressAllowances, rateWindowMs } from './limits.js';
import type { LanguageModel } from './models/language-model.js';
import { ModelCatalog, openModels } from './models/model-catalog.js';
import { enabledProtocols } from './protocols/names.js';
import { OpenStreams } from './runs/log/sse-format.js';
import type { PaymentGate } from './runs/payment.js';
import { allPools, sharedPools } from './shared-pools.js';
import { socketTimes } from './sockets/limits.js';
import { SessionNames } from './store/session-names.js';
import { StorageLimits, TableSizes } from './store/storage-limits.js';
import { version } from './version.js';

/** Dependencies of the app. */
export type Deps = Awaited<ReturnType<typeof openParts>>;

/** Options of an oracle besides its configuration. */
export interface OracleSetup extends PluginSetup {
  /** Replaces the configured models. */
  readonly model?: LanguageModel;
}

/** Opens the configured dependencies. `close` closes them in reverse order. */
export async function openDeps(
  config: Config,
  logger: Logger,
  setup: OracleSetup,
): Promise<Deps & { close(): Promise<void> }> {
  const closers: Closers = [];
  const close = () => closeAll(closers);
  try {
    return { ...(await openParts(config, logger, setup, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openParts(config: Config, logger: Logger, setup: OracleSetup, closers: Closers) {
  const tracing = await startTracing({ service: 'oracle-api', version, logger, config: config.telemetry });
  closers.push(() => tracing.shutdown());
  const oracle = await oracleIdentity(config.identity);
  const stores = await openStores(config, logger, setup.plugins, closers);
  const { database, redis, counts, conversations } = stores;
  const pools = sharedPools(config);
  const addresses = addressAllowances(config.http, counts);
  const outbound = createOutbound({ privateHosts: config.http.PRIVATE_HOSTS });
  closers.push(() => outbound.close());
  const authority = await openAuthority(
    config.identity,
    { oracle, stores, addresses, pools, outbound, logger },
    closers,
  );
  const { auth, delegations } = authority;
  const metrics = createMetrics({ service: 'oracle-api', version });
  // Streams need Redis; whole answers do not.
  const writes = redis && redisWrites(redis.client, 'oracle-api');
  if (writes !== undefined) redisWritableGauge(metrics, writes);
  const { all: poolList, open: openPool } = allPools(pools);
  semaphoreMetrics(metrics, poolList);
  const realtime = await openRealtime(config.plugins, {
    redis,
    auth,
    addresses,
    conversations,
    connectionLimit: pools.sockets,
    logger,
  });
  const now = () => new Date();
  const shared = { oracle, stores, realtime, metrics, logger, now, newId: randomUUID };
  const tables = new TableSizes({
    db: database.aside,
    ceilingBytes: config.stores.STORAGE_BYTES_PER_TABLE,
    nowMs: Date.now,
    log: logger,
  });
  const storage = new StorageLimits(addresses.stored, tables);
  const models =
    setup.model === undefined
      ? await openModels(config.models, { random: Math.random, nowMs: Date.now, calls: pools.modelCalls })
      : new ModelCatalog([setup.model]);
  const plugins = await openPlugins(
    config.plugins,
    { ...shared, setup, authority, outbound, openPool, models, storage },
    closers,
  );
  const turns = openTurns(config, { ...shared, plugins, models, spans: tracing.spans });
  const gate: PaymentGate = plugins.gate;
  const streams = new OpenStreams();
  liveGauges(metrics, { turns, streams, hub: realtime.hub });
  runGauges(metrics, stores.runRepository, logger);
  pluginGauges(metrics, plugins.figures, logger);
  databaseMetrics(metrics, database);
  tableGauges(metrics, tables, logger);
  const isProduction = config.http.NODE_ENV === 'production';
  const account: Pick<Account, 'export' | 'delete'> = new Account({
    store: stores.ownData,
    sources: plugins.accountSources,
    runs: stores.runs,
    turns,
    realtime,
    oracle,
    signer: authority.signer,
    now,
    newId: randomUUID,
  });
  return {
    logger,
    readiness: new Readiness({ database: () => database.ping(), ...(writes === undefined ? {} : { redis: writes }) }),
    metrics,
    securityContacts: config.http.SECURITY_CONTACT,
    metricsAccess: { token: config.telemetry.METRICS_TOKEN, open: !isProduction },
    trustProxy: trustedProxies(config.http),
    publicUrl: config.http.PUBLIC_URL,
    tracing: tracing.plugin,
    rateLimit: { max: config.http.RATE_LIMIT_MAX, windowMs: rateWindowMs, store: counts },
    addresses,
    corsOrigins: config.http.CORS_ORIGIN,
    /** Whether pages of loopback origins are allowed in addition to `corsOrigins`; never in production. */
    allowsLoopbackPages: !isProduction,
    /** Enabled protocols of other clients. */
    protocols: enabledProtocols(config.http),
    /** Whether the API is described at `/docs`. */
    docs: config.http.DOCS,
    /** Creates a sandbox user for the API page. */
    tryAs: isProduction ? undefined : docsSandbox(config.identity, oracle),
    auth,
    /** Undefined if API keys are disabled. */
    apiKeys: config.identity.API_KEYS ? new ApiKeys(stores.apiKeys, now, (path) => auth.isAnyRevoked(path)) : undefined,
    oracle,
    conversations,
    sessionNames: new SessionNames(conversations, authority.keyring),
    search: stores.search,
    pools,
    /** All pools of this process, those of plugins included. */
    poolList,
    account,
    sessionsPerUser: config.runs.SESSIONS_PER_USER,
    storage,
    plugins,
    messageFiles: plugins.messageFiles,
    runs: stores.runs,
    runRepository: stores.runRepository,
    approvals: stores.approvals,
    turns,
    gate,
    dailyMessages: new DailyMessages(counts, config.runs.MESSAGES_PER_USER_PER_DAY, now),
    streams,
    streaming: streamTimes,
    models,
    delegations,
    realtime,
    sockets: socketTimes,
    now,
    newId: randomUUID,
    drain: drainTimes(config.http),
  };
}

/** Splits the shutdown time after the drain delay: half for turns, a quarter for their readers. */
function drainTimes({ SHUTDOWN_TIMEOUT_MS, DRAIN_DELAY_MS }: HttpConfig) {
  const leftMs = Math.max(0, SHUTDOWN_TIMEOUT_MS - DRAIN_DELAY_MS);
  return { turnsMs: leftMs / 2, streamsMs: leftMs / 4 };
}
