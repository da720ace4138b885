import { randomUUID } from 'node:crypto';
import { createOutbound } from '@mlango/outbound/outbound';
import { Readiness } from '@mlango/service-kit/health';
import type { HttpAppOptions } from '@mlango/service-kit/http-app';
import type { Logger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { trustedProxies } from '@mlango/service-kit/proxies';
import { memoryRateLimitStore, redisRateLimitStore, withLocalCeiling } from '@mlango/service-kit/rate-limit';
import { openRedis, type RedisConnection, redisWritableGauge, redisWrites } from '@mlango/service-kit/redis';
import { startTracing } from '@mlango/service-kit/tracing';
import type { UcanAuth } from '@mlango/ucan-auth/auth';
import { createDownstream } from '@mlango/ucan-auth/downstream';
import { createServiceDids } from '@mlango/ucan-auth/service-did';
import { type AddressAllowances, addressAllowances } from './address-allowances.js';
import type { Config } from './config.js';
import { Delegations } from './delegation/delegations.js';
import { type OnBehalf, onBehalf } from './delegation/on-behalf.js';
import { openOracleDatabase } from './deps/open-oracle-database.js';
import { openRealtime } from './deps/open-realtime.js';
import { openRuns } from './deps/open-runs.js';
import { openTables } from './deps/open-tables.js';
import { ownedMigrations } from './deps/owned-migrations.js';
import type { StreamTimes } from './doors/http/stream-run.js';
import type { SocketTimes } from './doors/sockets/doors.js';
import { openAuth } from './identity/open-auth.js';
import { type OracleIdentity, oracleIdentity, oracleSigners } from './identity/oracle-identity.js';
import { sealKeyring } from './identity/seal-keyring.js';
import { drainTimes, rateWindowMs, socketTimes, streamTimes } from './limits.js';
import type { LanguageModel } from './models/language-model.js';
import { ModelCatalog } from './models/model-catalog.js';
import { openModels } from './models/open-models.js';
import { wrapModel } from './models/wrap-model.js';
import { PluginHost, type PluginHostParts } from './plugin-host/plugin-host.js';
import { SqlPluginStateStore } from './plugin-host/state/sql-plugin-state-store.js';
import type { PublicRoute } from './plugin-kit/plugin.js';
import type { Realtime } from './realtime/realtime.js';
import { OpenStreams } from './runs/open-streams.js';
import type { RunRegister } from './runs/run-register.js';
import type { RunStore } from './runs/run-store.js';
import { SqlRunRegister } from './runs/sql-run-register.js';
import type { ConversationStore } from './store/conversation-store.js';
import { SqlConversationStore } from './store/sql-conversation-store.js';
import { SqlDelegationStore } from './store/sql-delegation-store.js';
import { SqlPreferencesStore } from './store/sql-preferences-store.js';
import { SqlSummaryStore } from './store/sql-summary-store.js';
import { countTokens } from './turns/after/count-tokens.js';
import { SqlCallRecords } from './turns/calls/sql-call-records.js';
import type { Persona } from './turns/context/compose-instructions.js';
import type { PaymentGate } from './turns/lifecycle/payment-gate.js';
import { Turns } from './turns/lifecycle/turns.js';
import { processLimits, turnLimits } from './turns/turn-limits.js';
import { version } from './version.js';

/** Everything the app stands on. */
export interface Deps {
  readonly logger: Logger;
  readonly readiness: Readiness;
  readonly metrics: HttpAppOptions['metrics'];
  readonly metricsAccess: HttpAppOptions['metricsAccess'];
  readonly securityContacts: readonly string[];
  readonly trustProxy: HttpAppOptions['trustProxy'];
  readonly tracing: HttpAppOptions['tracing'];
  readonly rateLimit: Pick<NonNullable<HttpAppOptions['rateLimit']>, 'max' | 'windowMs' | 'store'>;
  readonly addresses: AddressAllowances;
  readonly corsOrigins: readonly string[];
  /** Whether the API is described at `/docs`. */
  readonly docs: boolean;
  readonly auth: UcanAuth;
  readonly oracle: OracleIdentity;
  readonly conversations: ConversationStore;
  readonly sessionsPerUser: number;
  readonly plugins: PluginHost;
  readonly runs: RunStore;
  readonly register: RunRegister;
  readonly turns: Turns;
  readonly gate: PaymentGate;
  readonly streams: OpenStreams;
  readonly streaming: StreamTimes;
  readonly models: ModelCatalog;
  readonly delegations: Delegations;
  /** Acts for users at other services: for what plugs in. */
  readonly onBehalf: OnBehalf;
  readonly realtime: Realtime;
  readonly sockets: SocketTimes;
  readonly now: () => Date;
  readonly newId: () => string;
  /** How long a shutdown waits for turns to end, and then for their streams to be read. */
  readonly drain: { readonly turnsMs: number; readonly streamsMs: number };
}

/** What whoever makes an oracle says of it, beside its configuration. */
export interface OracleSetup {
  readonly persona: Persona;
  readonly plugins: PluginHostParts['plugins'];
  readonly settings: PluginHostParts['settings'];
  readonly authExcludedRoutes: readonly PublicRoute[];
  /** In the place of the models that the configuration names. */
  readonly model?: LanguageModel;
}

/** Opens what the configuration names. `close` closes it in reverse order. */
export async function openDeps(
  config: Config,
  logger: Logger,
  setup: OracleSetup,
): Promise<Deps & { close(): Promise<void> }> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const tracing = await startTracing({
      service: 'oracle-api',
      version,
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    });
    closers.push(() => tracing.shutdown());
    const oracle = await oracleIdentity(config);
    const use = { applicationName: 'oracle-api', maxConnections: config.DATABASE_POOL_MAX };
    const database = await openOracleDatabase(config, logger, use, ownedMigrations(setup.plugins));
    closers.push(() => database.close());
    const redis = await openSharedRedis(config, logger);
    closers.push(async () => redis?.close());
    const counts = rateLimitStore(redis, logger);
    const addresses = addressAllowances(config, counts);
    const authStores = { db: database.db, redis: redis?.client, ...addresses };
    const { auth, close: closeAuth } = openAuth(config, oracle, authStores, logger);
    closers.push(closeAuth);
    const metrics = createMetrics({ service: 'oracle-api', version });
    // Streams need it; answers in one piece do without.
    const writes = redis && redisWrites(redis.client, 'oracle-api');
    if (writes !== undefined) redisWritableGauge(metrics, writes);
    const turnsEnded = metrics.counter({
      name: 'oracle_turns_total',
      help: 'Turns that have ended, by how they ended.',
      labelNames: ['status'],
    });
    const conversations = new SqlConversationStore(database.db);
    const retentionMs = config.RUN_RETENTION_HOURS * 3_600_000;
    const { runs, signals } = openRuns(redis, { retentionMs, framesMs: config.RUN_FRAMES_MINUTES * 60_000 });
    const register = new SqlRunRegister(database.db);
    const now = () => new Date();
    const keyring = await sealKeyring(config);
    const delegations = new Delegations({
      store: new SqlDelegationStore(database.db),
      auth,
      keyring,
      oracleDid: oracle.did,
      log: logger,
    });
    const outbound = createOutbound({ privateHosts: config.PRIVATE_HOSTS });
    closers.push(() => outbound.close());
    const services = createServiceDids({ isAllowedAddress: outbound.isAllowedAddress });
    closers.push(() => services.close());
    const realtime = await openRealtime(config, { redis, auth, addresses, conversations, logger });
    const preferences = new SqlPreferencesStore(database.db);
    const actsFor = onBehalf({
      delegations,
      downstream: createDownstream({ auth, signers: await oracleSigners(config, oracle), services }),
      notices: counts,
    });
    const pluginFailures = metrics.counter({
      name: 'oracle_plugin_failures_total',
      help: 'Failures of plugins in turns, which went on without them.',
      labelNames: ['plugin'],
    });
    const plugins = await PluginHost.start({
      ...setup,
      oracle,
      conversations,
      openTables: (plugin) => openTables(plugin, database.db),
      state: new SqlPluginStateStore(database.db),
      keyring,
      outbound,
      runtime: {
        preferences,
        delegations,
        auth,
        onBehalf: actsFor,
        services,
        frontend: realtime.calls,
        logger,
        now,
        newId: randomUUID,
      },
      logger,
      onFailure: (plugin) => pluginFailures.inc({ plugin }),
    });
    closers.push(() => plugins.close());
    const models =
      setup.model === undefined
        ? openModels(config, { random: Math.random, nowMs: Date.now })
        : new ModelCatalog([setup.model]);
    const tokens = countTokens(metrics);
    const turns = new Turns({
      conversations,
      summaries: new SqlSummaryStore(database.db),
      runs,
      register,
      calls: new SqlCallRecords(database.db),
      signals,
      listeners: [realtime.turnEvents],
      plugins,
      small: wrapModel(models.small, { count: (model) => tokens.upkeep(model) }),
      meters: [tokens.meter, ...plugins.meters],
      oracleName: oracle.name,
      now,
      newId: randomUUID,
      log: logger,
      onTurnEnd: (status) => turnsEnded.inc({ status }),
      limits: {
        ...processLimits,
        turnTimeoutMs: turnLimits.turnTimeoutMs,
        retentionMs,
        onConflict: config.RUN_CONFLICT,
      },
    });
    return {
      logger,
      readiness: new Readiness({ database: () => database.ping(), ...(writes === undefined ? {} : { redis: writes }) }),
      metrics,
      securityContacts: config.SECURITY_CONTACT,
      metricsAccess: { token: config.METRICS_TOKEN, open: config.NODE_ENV !== 'production' },
      trustProxy: trustedProxies(config),
      tracing: tracing.plugin,
      rateLimit: { max: config.RATE_LIMIT_MAX, windowMs: rateWindowMs, store: counts },
      addresses,
      corsOrigins: config.CORS_ORIGIN,
      docs: config.DOCS,
      auth,
      oracle,
      conversations,
      sessionsPerUser: config.SESSIONS_PER_USER,
      plugins,
      runs,
      register,
      turns,
      gate: plugins.gate,
      streams: new OpenStreams(),
      streaming: streamTimes,
      models,
      delegations,
      onBehalf: actsFor,
      realtime,
      sockets: socketTimes,
      now,
      newId: randomUUID,
      drain: drainTimes(config),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSharedRedis(config: Config, logger: Logger): Promise<RedisConnection | undefined> {
  if (config.REDIS_URL === undefined) return undefined;
  return openRedis({ url: config.REDIS_URL, logger, connectionName: 'oracle-api' });
}

/** Redis shares the counts among replicas. Without it each counts for itself, so readiness does not ask for it. */
function rateLimitStore(redis: RedisConnection | undefined, logger: Logger) {
  if (redis === undefined) return memoryRateLimitStore();
  return withLocalCeiling(redisRateLimitStore(redis.client, { service: 'oracle-api' }), memoryRateLimitStore(), logger);
}
