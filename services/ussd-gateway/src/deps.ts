import { randomBytes, randomUUID } from 'node:crypto';
import { databaseMetrics } from '@mlango/service-kit/database';
import type { Readiness } from '@mlango/service-kit/health';
import type { Logger } from '@mlango/service-kit/logging';
import { createMetrics, type Metrics } from '@mlango/service-kit/metrics';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import { redisWritableGauge } from '@mlango/service-kit/redis';
import { startTracing, type Tracing } from '@mlango/service-kit/tracing';
import type { AccountStore } from './accounts/account-store.js';
import { attemptLimits } from './accounts/check-pin.js';
import { sqlCallers } from './accounts/find-callers.js';
import type { OneTimeCode } from './accounts/one-time-code.js';
import { Analytics } from './analytics/analytics.js';
import { CountBuffer } from './analytics/count-buffer.js';
import { CountStore } from './analytics/count-store.js';
import { answerTimes, type HopCounters, hopMetrics } from './analytics/hop-metrics.js';
import { hopReadiness, RecentHops } from './analytics/recent-hops.js';
import { type Config, duplicateWindowMs } from './config.js';
import { runAccountChecks, runAccountEffects } from './connectors/account/run-account-operations.js';
import { HttpChainReader } from './connectors/chain/http-chain-reader.js';
import type { Reports } from './connectors/message/take-delivery-reports.js';
import { withoutOracle } from './connectors/oracle/oracle-operations.js';
import { runQuery } from './connectors/run-query.js';
import { runWebhookEffects } from './connectors/webhook/run-webhook-effects.js';
import type { Callbacks } from './connectors/webhook/take-callback.js';
import { pushingWebhook } from './connectors/webhook/webhook-settings.js';
import { backEndLimitMs } from './deps/back-end-limit.js';
import { oneTimeCodesOf, openAccounts } from './deps/open-accounts.js';
import { openKeyValue, type RedisProbes } from './deps/open-key-value.js';
import { openMessages } from './deps/open-messages.js';
import type { OracleParts, PhoneLinkDeps } from './deps/open-oracle.js';
import { loadConfiguredTenants, openTenants } from './deps/open-tenants.js';
import { openWebhooks } from './deps/open-webhooks.js';
import { effectMetrics } from './effects/effect-metrics.js';
import { EffectRunner, unshownOutcomeMs } from './effects/effect-runner.js';
import { EffectStore } from './effects/effect-store.js';
import { resumeEffects } from './effects/resume-effects.js';
import { inputSeal } from './effects/sealed-input.js';
import { queueEffect } from './engine/texts.js';
import { linkNotice } from './phone-identity/link-notice.js';
import { callerFinder } from './sessions/find-caller.js';
import { type SessionSecrets, sessionSecrets } from './sessions/session-secrets.js';
import type { SessionStore } from './sessions/session-store.js';
import { SessionQueue } from './sessions/with-session-lock.js';
import { startRetentionJob } from './stored-data/retention-job.js';
import { purgesOf } from './stored-data/retention-periods.js';
import { runPushes } from './tenants/push-menu.js';
import type { SessionTenantStore } from './tenants/session-tenant-store.js';
import type { TenantParts } from './tenants/tenant.js';
import type { TenantRegistry } from './tenants/tenant-registry.js';

export interface Deps {
  readonly config: Config;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly readiness: Readiness;
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly effectRunner: EffectRunner;
  readonly tenants: TenantRegistry;
  readonly sessionTenants: SessionTenantStore;
  readonly secrets: SessionSecrets;
  readonly effectStore: Pick<EffectStore, 'toReview'>;
  /** Takes outcomes that webhooks report. */
  readonly callbacks: Callbacks;
  /** Links phones and persons; undefined without an oracle. */
  readonly linking: PhoneLinkDeps | undefined;
  /** Takes delivery reports, if the provider sends any. */
  readonly reports?: Reports;
  /** Issues one-time codes for forgotten PINs; undefined for an unknown customer. */
  readonly oneTimeCodes: { readonly issue: (customerId: string, by: string) => Promise<OneTimeCode | undefined> };
  readonly hopCounterOf: HopCounters;
  readonly recentHops: RecentHops;
  readonly rateLimits: RateLimitStore;
  /** Runs a query; rejects if the database is unavailable. */
  readonly pingDatabase: () => Promise<void>;
  /** Absent if sessions are in memory. */
  readonly redis?: RedisProbes;
  /** Closes everything, in reverse order of opening. */
  readonly close: () => Promise<void>;
}

const service = 'ussd-gateway';

/** Longest time for any replica to record that an outcome was shown. */
const acknowledgementMs = 150;

/** Opens the dependencies of the app. It also resolves without Redis or Postgres: both reconnect later. */
export async function openDeps(config: Config, logger: Logger, version: string): Promise<Deps> {
  const loaded = loadConfiguredTenants(config);
  const metrics = createMetrics({ service, version });
  const tracing = await startTracing({ service, version, logger, config: config.telemetry });
  const { database, keys, store, vault } = await openAccounts(config, logger);
  const chain = new HttpChainReader({
    url: config.connectors.PROTO_GATEWAY_URL,
    apiKey: config.connectors.PROTO_GATEWAY_API_KEY,
    limitMs: backEndLimitMs(config),
  });
  const accounts = {
    store,
    vault,
    limits: attemptLimits(config.accounts.LOCKOUT_SECONDS),
    randomBytes,
    accountsPerDay: config.accounts.ACCOUNTS_PER_PHONE_PER_DAY,
  };
  const effectStore = new EffectStore(database.db, database.stale);
  const { webhooks, callbacks } = openWebhooks(config, keys, { effectStore, metrics, logger });
  const keyValue = await openKeyValue(config, logger);
  const oracle = await oracleOf(config, {
    keyring: keys,
    db: database.db,
    counts: keyValue.rateLimits,
    metrics,
    notify: (phone) => notifyOfLink(phone),
  });
  const webhookEffects = runWebhookEffects(webhooks);
  const messages = await openMessages(config, {
    effectStore,
    effects: webhookEffects,
    counts: keyValue.rateLimits,
    metrics,
    logger,
  });
  const effects = {
    ...runAccountEffects(accounts),
    ...webhookEffects,
    ...oracle.effects,
    ...messages.effects,
    ...runPushes(pushingWebhook(config.connectors.WEBHOOKS), webhookEffects),
  };
  const effectRunner = new EffectRunner({ store: effectStore, effects, seal: inputSeal(keys), logger });
  const resuming = resumeEffects(effectRunner, logger);
  const knownCaller = callerFinder({
    find: sqlCallers(database.db, unshownOutcomeMs),
    clock: Date.now,
    logger,
    recheckAfterMs: acknowledgementMs,
  });
  const canSend = queueEffect in messages.effects;
  const notifyOfLink = canSend ? linkNotice({ effectRunner, findCaller: knownCaller }) : async () => {};
  if (config.connectors.ORACLE_URL !== undefined && !canSend)
    logger.warn('phones are not notified of links on the web: MESSAGES is not set');
  const counts = new CountStore(database.db);
  const onAnswerOf = answerTimes(metrics);
  const countBuffer = new CountBuffer({ store: counts, logger, writer: randomUUID(), clock: Date.now });
  const purges = [...purgesOf({ accounts: store, effects: effectStore, counts }), ...oracle.purges];
  const retentionJob = startRetentionJob({ purges, logger });
  const sessionTtlMs = config.sessions.SESSION_TTL_SECONDS * 1000;
  const { redis } = keyValue;
  if (redis !== undefined) redisWritableGauge(metrics, redis.takesWrites);
  databaseMetrics(metrics, database);
  effectMetrics(metrics, effectStore, logger);
  const recent = new RecentHops({
    windowSeconds: config.telemetry.HOP_WINDOW_SECONDS,
    floor: config.telemetry.HOP_WINDOW_FLOOR,
  });
  const secrets = sessionSecrets(keys);
  const resumeWindowMs = config.sessions.RESUME_WINDOW_SECONDS * 1000;
  const parts: TenantParts = {
    hops: {
      store: keyValue.sessions,
      queue: new SessionQueue(),
      sessionTtlMs,
      resumeWindowMs,
      hopDeadlineMs: config.sessions.HOP_DEADLINE_MS,
      clock: Date.now,
    },
    rules: {
      textMode: config.sessions.USSD_TEXT_MODE,
      duplicateWindowMs: duplicateWindowMs(config.sessions),
      secrets,
      outside: {
        effectRunner,
        checks: { ...runAccountChecks(accounts), ...oracle.checks },
        runQuery: (query, context) => runQuery(query, context, { chain, webhooks }),
        findCaller: knownCaller,
      },
    },
    analyticsOf: (id) =>
      new Analytics(id, {
        buffer: countBuffer,
        store: counts,
        clock: Date.now,
        sessionTtlMs,
        onAnswer: onAnswerOf(id),
      }),
    retentionMs: sessionTtlMs + resumeWindowMs,
  };
  const { tenants, stop: stopWatching } = openTenants(config, parts, { loaded, metrics, logger });
  return {
    config,
    version,
    logger,
    metrics,
    tracing,
    readiness: hopReadiness(recent),
    sessions: keyValue.sessions,
    accounts: store,
    effectRunner,
    tenants,
    sessionTenants: keyValue.sessionTenants,
    secrets,
    effectStore,
    callbacks,
    linking: oracle.linking,
    ...(messages.reports === undefined ? {} : { reports: messages.reports }),
    oneTimeCodes: oneTimeCodesOf(config, logger, { store, vault }),
    hopCounterOf: hopMetrics(metrics, recent),
    recentHops: recent,
    rateLimits: keyValue.rateLimits,
    pingDatabase: database.ping,
    ...(redis === undefined ? {} : { redis }),
    close: async () => {
      await stopWatching();
      await countBuffer.close();
      await resuming.stop(backEndLimitMs(config));
      await retentionJob.stop();
      await keyValue.close();
      await chain.close();
      await messages.close();
      await webhooks.close();
      await oracle.close();
      await database.close();
      await tracing.shutdown();
    },
  };
}

/** The client of the oracle, loaded only if one is configured. */
async function oracleOf(config: Config, parts: OracleParts) {
  if (config.connectors.ORACLE_URL === undefined)
    return { ...withoutOracle, purges: [], linking: undefined, close: async () => {} };
  const { openOracle } = await import('./deps/open-oracle.js');
  return openOracle(config.connectors.ORACLE_URL, config, parts);
}
