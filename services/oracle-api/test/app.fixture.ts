import { randomUUID } from 'node:crypto';
import { keyringOf } from '@mlango/crypto/keyring';
import { createOutbound, type Outbound } from '@mlango/outbound/outbound';
import { Readiness } from '@mlango/service-kit/health';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { memoryRateLimitStore, type RateLimitStore } from '@mlango/service-kit/rate-limit';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { emptyAccount } from '../src/account/empty-account.fixture.js';
import { DailyMessages } from '../src/agent/admission.js';
import type { Approvals } from '../src/agent/loop/sql-approvals.js';
import type { TurnContextDeps } from '../src/agent/prompt/turn-context.js';
import { noTelemetry } from '../src/agent/telemetry.js';
import { Turns } from '../src/agent/turns.js';
import { buildApp } from '../src/app.js';
import type { Deps } from '../src/deps.js';
import { Delegations } from '../src/identity/delegations.js';
import { onBehalf } from '../src/identity/on-behalf.js';
import { addressAllowances } from '../src/limits.js';
import type { LanguageModel } from '../src/models/language-model.js';
import { localModel } from '../src/models/local/local-model.js';
import { ModelCatalog } from '../src/models/model-catalog.js';
import type { OraclePlugin, PublicRoute } from '../src/plugins/api/plugin.js';
import { PluginHost } from '../src/plugins/host/plugin-host.js';
import { type Features, resolveFeatures } from '../src/plugins/host/resolve-features.js';
import { MemoryRunLogStore } from '../src/runs/log/memory.js';
import { OpenStreams } from '../src/runs/log/sse-format.js';
import type { UsageMeter } from '../src/runs/payment.js';
import { MemoryRunSignals, type RunSignals } from '../src/runs/signals.js';
import { allPools, type PoolLimits, poolLimits, sharedPools } from '../src/shared-pools.js';
import { type HubBus, MemoryHubBus } from '../src/sockets/hub-bus.js';
import { type RealtimeLimits, socketLimitsFor } from '../src/sockets/limits.js';
import type { RecoveryTickets } from '../src/sockets/member.js';
import { Realtime } from '../src/sockets/realtime.js';
import { MemoryRecoveryTickets } from '../src/sockets/recovery.js';
import { SessionNames } from '../src/store/session-names.js';
import { StorageLimits } from '../src/store/storage-limits.js';
import { allPlugins, defaultsOf } from './app-plugins.fixture.js';
import { addressLimits, poolSettings, turnLimits } from './limits.fixture.js';
import { closeWith, openTestStores, type TestStores } from './stores.fixture.js';

export const oracle = { name: 'Jua', did: signerFromSeed(Buffer.alloc(32, 'o')).did, entityDid: 'did:ixo:entity:jua' };

const loopback = [{ host: 'localhost' }, { host: '127.0.0.1' }, { host: '::1' }];

export interface TestOptions {
  readonly allowsLoopbackPages?: boolean;
  readonly socketsPerAddress?: number;
  readonly poolLimits?: Partial<PoolLimits>;
  /** Replaces methods of the store. */
  readonly approvals?: Partial<Approvals>;
  /** Replaces the account service, which has no data by default. */
  readonly account?: Partial<Deps['account']>;
  readonly logger?: Deps['logger'];
  readonly model?: LanguageModel;
  readonly models?: ModelCatalog;
  readonly meters?: readonly UsageMeter[];
  /** Plugins in addition to the bundled ones. */
  readonly plugins?: readonly OraclePlugin[];
  /** Replaces the bundled plugin of its name. */
  readonly instead?: OraclePlugin;
  readonly features?: Features;
  /** Parsed settings of plugins, by plugin name. */
  readonly settings?: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly authExcludedRoutes?: readonly PublicRoute[];
  readonly rateLimitMax?: number;
  readonly rateLimitPerAddress?: number;
  readonly turnsPerAddress?: number;
  readonly messagesPerUserPerDay?: number;
  readonly storageBytesPerAddress?: number;
  /** Tables that have reached their size limit. */
  readonly fullTables?: readonly string[];
  readonly sessionsPerUser?: number;
  readonly trustProxy?: Deps['trustProxy'];
  readonly corsOrigins?: readonly string[];
  readonly protocols?: Deps['protocols'];
  readonly docs?: boolean;
  readonly drain?: Deps['drain'];
  readonly activeTurns?: number;
  readonly streaming?: Deps['streaming'];
  readonly auth?: Deps['auth'];
  /** Stores shared with another app; by default stores on an empty database. */
  readonly stores?: TestStores;
  readonly runs?: Deps['runs'];
  readonly signals?: RunSignals;
  readonly gate?: Deps['gate'];
  readonly outbound?: Outbound;
  readonly services?: TurnContextDeps['services'];
  readonly onConflict?: 'interrupt' | 'enqueue';
  readonly bus?: HubBus;
  readonly tickets?: RecoveryTickets;
  readonly limits?: Partial<RealtimeLimits>;
  readonly sockets?: Partial<Deps['sockets']>;
  /** The clock of sockets, in ms. */
  readonly nowMs?: () => number;
}

/** The real app on an embedded database, with a real token check and without Redis. */
export async function testApp(options: TestOptions = {}): Promise<{ app: HttpApp; deps: Deps }> {
  const stores = options.stores ?? (await openTestStores());
  const { conversations, summaries, preferences, runRepository } = stores;
  const runs = options.runs ?? new MemoryRunLogStore({ retentionMs: 60_000, limitChars: 10_000_000 }, Date.now);
  const logger = options.logger ?? createLogger({ service: 'test', level: 'silent' });
  const now = () => new Date();
  const auth = options.auth ?? createUcanAuth({ audiences: [oracle.did, oracle.entityDid] });
  const { rateLimitMax = 10_000, protocols = [], sessionsPerUser = 1_000, trustProxy = false } = options;
  const counts = memoryRateLimitStore();
  const addresses = addressAllowances(addressLimits(options, rateLimitMax), counts);
  const pools = sharedPools(poolSettings(options, rateLimitMax), { ...poolLimits, ...options.poolLimits });
  const { all: poolList, open: openPool } = allPools(pools);
  const realtime = new Realtime({
    auth,
    connectionLimit: pools.sockets,
    requests: addresses.requests,
    ownsSession: async (did, sessionId) => (await conversations.findSession(did, sessionId)) !== undefined,
    bus: options.bus ?? new MemoryHubBus().attach(),
    tickets: options.tickets ?? new MemoryRecoveryTickets(Date.now),
    nowMs: options.nowMs ?? Date.now,
    newId: randomUUID,
    log: logger,
    limits: { ...socketLimitsFor(1_000), ...options.limits },
  });
  await realtime.open();
  const keyring = keyringOf([{ id: 'test', bytes: Buffer.alloc(32, 'k') }]);
  const notices = memoryRateLimitStore();
  const delegations = new Delegations({
    store: stores.delegations,
    notices,
    auth,
    keyring,
    oracleDid: oracle.did,
    log: logger,
  });
  const downstream = async () => ({ ok: false, code: 'unavailable' }) as const;
  const actsFor = onBehalf({ delegations, downstream, notices });
  // Peers of tests are on this machine.
  const outbound = options.outbound ?? createOutbound({ privateHosts: loopback });
  const all = await allPlugins(options);
  const models = modelsOf(options);
  const storage = new StorageLimits(addresses.stored, {
    isFull: (table) => options.fullTables?.includes(table) === true,
  });
  const plugins = await PluginHost.start({
    models,
    plugins: resolveFeatures(all, options.features ?? {}, () => ({})),
    settings: new Map([...defaultsOf(all), ...(options.settings ?? [])]),
    persona: { name: oracle.name },
    oracle,
    conversations,
    openTables: ({ name }) => stores.openTables(name),
    state: stores.pluginState,
    keyring,
    outbound,
    openPool,
    storage,
    runtime: {
      preferences,
      delegations,
      auth,
      onBehalf: actsFor,
      services: options.services ?? { read: async () => ({ ok: false, code: 'unavailable' }) },
      frontend: realtime.calls,
      approvals: stores.approvals,
      logger,
      now,
      newId: randomUUID,
    },
    authExcludedRoutes: options.authExcludedRoutes ?? [],
    approval: { tools: [], outsideNeedsApproval: false },
    limits: new Map(),
    logger,
    onFailure: () => undefined,
  });
  const deps: Deps = {
    logger,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'test', version: '0' }),
    metricsAccess: { token: undefined, open: true },
    securityContacts: [],
    trustProxy,
    publicUrl: undefined,
    tracing: undefined,
    rateLimit: { max: rateLimitMax, windowMs: 60_000, store: counts },
    addresses,
    corsOrigins: [...(options.corsOrigins ?? ['*'])],
    allowsLoopbackPages: options.allowsLoopbackPages !== false,
    protocols,
    docs: options.docs ?? true,
    tryAs: undefined,
    auth,
    apiKeys: undefined,
    oracle,
    conversations,
    sessionNames: new SessionNames(conversations, keyring),
    search: stores.search,
    pools,
    poolList,
    account: { ...emptyAccount, ...options.account },
    sessionsPerUser,
    storage,
    plugins,
    messageFiles: plugins.messageFiles,
    runs,
    runRepository,
    approvals: Object.assign(stores.approvals, options.approvals),
    gate: options.gate ?? plugins.gate,
    dailyMessages: dailyMessagesOf(options, counts),
    turns: new Turns({
      conversations,
      summaries,
      runs,
      runRepository,
      memory: stores.memory,
      calls: stores.calls,
      suspended: stores.suspended,
      approvals: stores.approvals,
      models,
      signals: options.signals ?? new MemoryRunSignals(),
      listeners: [realtime.turnEvents],
      plugins,
      small: models.small,
      meters: [...(options.meters ?? []), ...plugins.meters],
      usageOutbox: stores.usageOutbox,
      gate: plugins.gate,
      oracleName: oracle.name,
      now,
      newId: randomUUID,
      log: logger,
      onTurnEnd: () => undefined,
      telemetry: noTelemetry,
      limits: turnLimits(options),
    }),
    streams: new OpenStreams(),
    streaming: options.streaming ?? { heartbeatMs: 15_000, stalledAfterMs: 60_000 },
    models,
    delegations,
    realtime,
    sockets: {
      pingIntervalMs: 25_000,
      pingTimeoutMs: 20_000,
      authTimeoutMs: 5_000,
      waitingBytes: 1_048_576,
      ...options.sockets,
    },
    now,
    newId: randomUUID,
    drain: options.drain ?? { turnsMs: 0, streamsMs: 1_000 },
  };
  const app = await buildApp(deps);
  if (options.stores === undefined) closeWith(app, stores);
  // A test shares the app's event loop: a busy loop is no overload.
  return { app: Object.assign(app, { isUnderPressure: () => false }), deps };
}

/** Headers of a user; each letter is another user. */
export async function headersOf(letter: string, audience = oracle.did): Promise<Record<string, string>> {
  const signer = signerFromSeed(Buffer.alloc(32, letter));
  const token = await mintInvocation({ signer, audience });
  return { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
}

export async function newSession(app: HttpApp, headers: Record<string, string>): Promise<string> {
  const reply = await app.inject({ method: 'POST', url: '/sessions', headers });
  const { sessionId } = reply.json<{ sessionId: string }>();
  return sessionId;
}

function dailyMessagesOf({ messagesPerUserPerDay = 0 }: TestOptions, counts: RateLimitStore) {
  return new DailyMessages(counts, messagesPerUserPerDay, () => new Date());
}

function modelsOf({ models, model }: TestOptions): ModelCatalog {
  return models ?? new ModelCatalog([model ?? localModel({ paceMs: 0 })]);
}
