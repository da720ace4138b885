import { randomBytes } from 'node:crypto';
import { keyringOf } from '@mlango/crypto/keyring';
import type { SqlDatabase } from '@mlango/service-kit/database';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { noSpans } from '@mlango/service-kit/tracing';
import { AccountStore } from '../../src/accounts/account-store.js';
import { attemptLimits } from '../../src/accounts/check-pin.js';
import { sqlCallers } from '../../src/accounts/find-callers.js';
import { pinVault } from '../../src/accounts/pin-vault.js';
import { analyticsOn } from '../../src/analytics/analytics.fixture.js';
import { CountStore } from '../../src/analytics/count-store.js';
import { answerTimes, hopMetrics } from '../../src/analytics/hop-metrics.js';
import { hopReadiness, RecentHops } from '../../src/analytics/recent-hops.js';
import { buildApp } from '../../src/app.js';
import { duplicateWindowMs, readConfig } from '../../src/config.js';
import { runAccountChecks, runAccountEffects } from '../../src/connectors/account/run-account-operations.js';
import { runQuery } from '../../src/connectors/run-query.js';
import { chainOf } from '../../src/connectors/sources.fixture.js';
import { runWebhookEffects } from '../../src/connectors/webhook/run-webhook-effects.js';
import { pushingWebhook } from '../../src/connectors/webhook/webhook-settings.js';
import { oneTimeCodesOf } from '../../src/deps/open-accounts.js';
import type { RedisProbes } from '../../src/deps/open-key-value.js';
import { openMessages } from '../../src/deps/open-messages.js';
import { openWebhooks } from '../../src/deps/open-webhooks.js';
import type { Deps } from '../../src/deps.js';
import type { RunEffect } from '../../src/effects/effect.js';
import { effectMetrics } from '../../src/effects/effect-metrics.js';
import { EffectRunner, unshownOutcomeMs } from '../../src/effects/effect-runner.js';
import { EffectStore } from '../../src/effects/effect-store.js';
import { inputSeal } from '../../src/effects/sealed-input.js';
import type { ChainReader } from '../../src/engine/declarations.js';
import type { Flow } from '../../src/engine/flow.js';
import { defaultFlow } from '../../src/flows/default-flow.fixture.js';
import { callerFinder, type FindCaller } from '../../src/sessions/find-caller.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { sessionSecrets } from '../../src/sessions/session-secrets.js';
import type { SessionStore } from '../../src/sessions/session-store.js';
import { SessionQueue } from '../../src/sessions/with-session-lock.js';
import { runPushes } from '../../src/tenants/push-menu.js';
import { loadTenants } from '../../src/tenants/read-tenants.js';
import { MemorySessionTenantStore } from '../../src/tenants/session-tenant-store.js';
import type { TenantSettings } from '../../src/tenants/tenant.js';
import { TenantRegistry } from '../../src/tenants/tenant-registry.js';
import { emptyDatabase, type schema } from './embedded-database.js';

export interface TestAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly store?: SessionStore;
  readonly effectStore?: EffectStore;
  /** Default: from the database. */
  readonly findCaller?: FindCaller;
  /** Default: the embedded database of this test worker, emptied. Apps that share accounts or effects are given the same one. */
  readonly database?: SqlDatabase<typeof schema>;
  /** Effects in addition to those of accounts. */
  readonly effects?: Readonly<Record<string, RunEffect>>;
  /** The flow; the default one if absent. */
  readonly flow?: Flow;
  /** A folder of services, instead of one flow. */
  readonly folder?: string;
  /** The chain for queries of the flow; an empty one if absent. */
  readonly chain?: ChainReader;
  /** Counts of screens; none if absent. */
  readonly counts?: CountStore;
  readonly pingDatabase?: () => Promise<void>;
  readonly redis?: RedisProbes;
  /** Clock of sessions, in ms. */
  readonly clock?: () => number;
  /** Receives each log line. */
  readonly log?: (line: string) => void;
}

/** The whole app on in-memory sessions and the embedded database, without a socket. */
export async function openTestApp(options: TestAppOptions = {}): Promise<HttpApp> {
  const config = readConfig({ NODE_ENV: 'test', RATE_LIMIT_MAX: '100000', ...options.env });
  const store = options.store ?? new MemorySessionStore();
  const { log } = options;
  const logger =
    log === undefined
      ? createLogger({ service: 'test', level: 'silent' })
      : createLogger({ service: 'test', level: 'trace', destination: { write: log } });
  const sessionTtlMs = config.sessions.SESSION_TTL_SECONDS * 1000;
  const clock = options.clock ?? Date.now;
  const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 5) }]);
  const metrics = createMetrics({ service: 'test', version: '0.0.0' });
  const recent = new RecentHops({
    windowSeconds: config.telemetry.HOP_WINDOW_SECONDS,
    floor: config.telemetry.HOP_WINDOW_FLOOR,
    now: clock,
  });
  const database = options.database ?? (await emptyDatabase());
  const accountStore = new AccountStore(database);
  const effectStore = options.effectStore ?? new EffectStore(database);
  const find = options.findCaller ?? sqlCallers(database, unshownOutcomeMs);
  const accounts = {
    store: accountStore,
    vault: pinVault(keyring),
    limits: attemptLimits(config.accounts.LOCKOUT_SECONDS),
    accountsPerDay: config.accounts.ACCOUNTS_PER_PHONE_PER_DAY,
    randomBytes,
  };
  const { webhooks, callbacks } = openWebhooks(config, keyring, { effectStore, metrics, logger });
  const webhookEffects = runWebhookEffects(webhooks);
  effectMetrics(metrics, effectStore, logger);
  const messages = await openMessages(config, {
    effectStore,
    effects: webhookEffects,
    counts: memoryRateLimitStore(),
    metrics,
    logger,
  });
  const effects = {
    ...runAccountEffects(accounts),
    ...webhookEffects,
    ...messages.effects,
    ...runPushes(pushingWebhook(config.connectors.WEBHOOKS), webhookEffects),
    ...options.effects,
  };
  const effectRunner = new EffectRunner({ store: effectStore, effects, seal: inputSeal(keyring), logger });
  const chain = options.chain ?? chainOf({});
  const secrets = sessionSecrets(keyring);
  const services = new TenantRegistry({
    hops: {
      store,
      queue: new SessionQueue(),
      sessionTtlMs,
      resumeWindowMs: config.sessions.RESUME_WINDOW_SECONDS * 1000,
      hopDeadlineMs: config.sessions.HOP_DEADLINE_MS,
      clock,
    },
    rules: {
      textMode: config.sessions.USSD_TEXT_MODE,
      duplicateWindowMs: duplicateWindowMs(config.sessions),
      secrets,
      outside: {
        effectRunner,
        checks: runAccountChecks(accounts),
        runQuery: (query, context) => runQuery(query, context, { chain, webhooks }),
        findCaller: callerFinder({ find, clock, logger }),
      },
    },
    analyticsOf: analyticsOn(options.counts ?? new CountStore(database), { clock, sessionTtlMs }, answerTimes(metrics)),
    retentionMs: sessionTtlMs,
  });
  if (options.folder !== undefined) services.activate(tenantsOf(options.folder, config.flows.APP_NAME));
  else services.replace([onlyService(options.flow ?? defaultFlow, config.flows.APP_NAME)]);
  const deps: Deps = {
    config,
    version: '0.0.0',
    logger,
    metrics,
    tracing: { spans: noSpans, shutdown: async () => {} },
    readiness: hopReadiness(recent),
    sessions: store,
    accounts: accountStore,
    effectRunner,
    tenants: services,
    sessionTenants: new MemorySessionTenantStore({ retentionMs: sessionTtlMs, clock }),
    secrets,
    effectStore,
    callbacks,
    linking: undefined,
    ...(messages.reports === undefined ? {} : { reports: messages.reports }),
    oneTimeCodes: oneTimeCodesOf(config, logger, accounts),
    hopCounterOf: hopMetrics(metrics, recent),
    recentHops: recent,
    rateLimits: memoryRateLimitStore(),
    pingDatabase: options.pingDatabase ?? (async () => {}),
    ...(options.redis === undefined ? {} : { redis: options.redis }),
    close: async () => {
      await messages.close();
      await webhooks.close();
    },
  };
  const app = await buildApp(deps);
  // A test runs on the app's own event loop: a busy loop is no overload.
  return Object.assign(app, { isUnderPressure: () => false });
}

const loaded = new Map<string, ReturnType<typeof loadTenants>>();

/** The tenants of a folder, as they were when an app of this process first opened it. */
function tenantsOf(folder: string, appName: string) {
  const tenants = loaded.get(folder) ?? loadTenants(folder, { appName });
  loaded.set(folder, tenants);
  return tenants;
}

function onlyService(flow: Flow, name: string): TenantSettings {
  return { id: 'default', codes: [], name, limits: undefined, operatorTokenSha256: undefined, flows: [flow] };
}

export const subscriber = { sessionId: 'ATUid_1', serviceCode: '*384#', phoneNumber: '+260971230567' };

/** Sends one hop; returns status, media type and text of the reply. */
export async function sendHop(
  app: HttpApp,
  text: string,
  change: Record<string, unknown> = {},
  remoteAddress = '127.0.0.1',
) {
  const payload = { ...subscriber, text, ...change };
  const reply = await app.inject({ method: 'POST', url: '/api/ussd', payload, remoteAddress });
  return { status: reply.statusCode, type: reply.headers['content-type'], text: reply.body, headers: reply.headers };
}
