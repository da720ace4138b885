import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { keyringOf } from '@mlango/crypto/keyring';
import { createOutbound } from '@mlango/outbound/outbound';
import { createLogger } from '@mlango/service-kit/logging';
import type { Random } from '@mlango/test-services/random';
import { whenPaid } from '../../src/agent/admission.js';
import type { Decision } from '../../src/agent/loop/sql-approvals.js';
import type { TurnContextDeps } from '../../src/agent/prompt/turn-context.js';
import { settleApproval } from '../../src/agent/suspension.js';
import { noTelemetry } from '../../src/agent/telemetry.js';
import { Turns } from '../../src/agent/turns.js';
import { ModelCatalog } from '../../src/models/model-catalog.js';
import { credits } from '../../src/plugins/credits/plugin.js';
import { creditSettings } from '../../src/plugins/credits/settings.js';
import { PluginHost } from '../../src/plugins/host/plugin-host.js';
import type { RunSignals } from '../../src/runs/signals.js';
import { actingTools, type Effect } from './effects.js';
import type { Plan } from './plan.js';
import { plannedModel } from './planned-model.js';
import { ProcessLife } from './process-life.js';
import type { Shared } from './timed-stores.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 3) }]);
const outbound = createOutbound({ privateHosts: [] });
const isNotHere = async () => ({ ok: false, code: 'unavailable' }) as const;
const absent = () => Promise.reject(new Error('not in this world'));

/** Maximum tokens of a turn. */
const turnTokens = 10_000;

/** Environment of a process. */
export interface Surroundings {
  readonly random: Random;
  readonly owner: string;
  readonly onConflict: 'interrupt' | 'enqueue';
  readonly shared: Shared;
  readonly effects: Effect[];
  /** Failures of plugins. */
  readonly failures: string[];
  /** Messages with text but without reported tokens. */
  readonly uncounted: Set<string>;
  readonly luckOf: (key: string) => Random;
  planOf(requestId: string, life: ProcessLife): Plan;
  count(requestId: string, tokens: number): void;
  note(text: string): void;
}

/** One process of the service without its protocols: real turns, plugins and payment, on stores shared with the other process. */
export async function startReplica(id: string, world: Surroundings) {
  const life = new ProcessLife(world.random);
  const { owner, shared, onConflict } = world;
  let ids = 0;
  const now = () => new Date();
  const newId = () => `${id}-${++ids}`;
  const conversations = life.seen(shared.conversations);
  const runRepository = life.seen(shared.runRepository);
  const approvals = life.seen(shared.approvals);
  const model = plannedModel({
    planOf: (requestId) => world.planOf(requestId, life),
    onUsage: (requestId, tokens) => world.count(requestId, tokens),
    onUncounted: (requestId) => void world.uncounted.add(requestId),
    alive: life.alive,
  });
  const models = new ModelCatalog([model]);
  const plugins = await PluginHost.start({
    models,
    plugins: [credits, actingTools(world.effects, world.luckOf, { alive: life.alive, die: () => life.end() })].map(
      (plugin) => ({ plugin, feature: true, isOn: true, reason: '' }),
    ),
    settings: new Map([
      ['credits', creditSettings.parse({ CREDITS: 'local', CREDITS_TURN_TOKENS: String(turnTokens) })],
    ]),
    persona: { name: 'Jua' },
    oracle: { name: 'Jua', did: 'did:key:jua', entityDid: 'did:ixo:entity:jua' },
    conversations,
    storage: { take: async () => async () => undefined },
    openTables: ({ name }) => (name === 'credits' ? life.seen(shared.ledger) : undefined),
    state: life.seen(shared.pluginState),
    keyring,
    outbound,
    openPool: (options) => new FairSemaphore(options),
    runtime: {
      preferences: { find: absent, merge: absent },
      delegations: { find: isNotHere },
      auth: { grant: absent, consent: absent },
      onBehalf: { invocation: absent },
      services: { read: isNotHere },
      frontend: { call: async () => ({ ok: false, error: 'There is no tab.' }) },
      approvals,
      logger,
      now,
      newId,
    } as unknown as TurnContextDeps,
    authExcludedRoutes: [],
    approval: { tools: [], outsideNeedsApproval: true },
    limits: new Map(),
    logger,
    onFailure: (plugin) => world.failures.push(`${id}: ${plugin}`),
  });
  const turns = new Turns({
    conversations,
    runRepository,
    approvals,
    summaries: life.seen(shared.summaries),
    memory: life.seen(shared.memory),
    calls: life.seen(shared.calls),
    suspended: life.seen(shared.paused),
    runs: life.seen(shared.runs),
    signals: signalsOf(shared.signals, life),
    models,
    listeners: [],
    plugins,
    small: model,
    meters: plugins.meters,
    usageOutbox: life.seen(shared.usageOutbox),
    gate: plugins.gate,
    oracleName: 'Jua',
    now,
    newId,
    log: {
      error: (fields, text) => world.note(`${id} logged: ${text} ${Object.values(fields).join(' ')}`),
    },
    onTurnEnd: () => undefined,
    telemetry: noTelemetry,
    limits: {
      activeTurns: 100,
      turnTimeoutMs: 60_000,
      steps: 8,
      sameCalls: 2,
      onConflict,
      queue: { ofSession: 50, ofUser: 200 },
      leaseMs: 6_000,
      renewMs: 2_000,
      waitMs: 100,
      retentionMs: 3_600_000,
      approvalMs: 600_000,
    },
  });

  return {
    id,
    life,
    send: (sessionId: string, requestId: string) =>
      life.alive(() => {
        const runId = newId();
        return whenPaid(plugins.gate, { ownerDid: owner, sessionId, runId }, () =>
          turns.send({ runId, ownerDid: owner, sessionId, requestId, message: requestId, model, isFollowed: true }),
        );
      }),
    abort: (sessionId: string) => life.alive(() => turns.stop(owner, sessionId, 'aborted')),
    settle: (runId: string, callId: string, decision: Decision) =>
      life.alive(() => settleApproval({ approvals, runRepository, turns }, owner, runId, callId, decision)),
  };
}

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Signals. A killed process neither sends nor receives them. */
function signalsOf(signals: RunSignals, life: ProcessLife): RunSignals {
  return {
    send: (word) => life.alive(() => signals.send(word)),
    listen: (onWord) => signals.listen((word) => life.isOver || onWord(word)),
    follow: (sessionId) => signals.follow(sessionId),
  };
}
