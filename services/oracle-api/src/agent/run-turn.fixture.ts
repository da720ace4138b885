import { openTestStores, type TestStores } from '../../test/stores.fixture.js';
import type { LanguageModel } from '../models/language-model.js';
import { MemoryRunLogStore } from '../runs/log/memory.js';
import { MemoryRunSignals } from '../runs/signals.js';
import type { StoredMessage } from '../store/sessions.js';
import type { TurnTool } from './loop/turn-tool.js';
import { pluginsWith } from './prompt/no-plugins.fixture.js';
import { runTurn } from './run-turn.js';
import { noTelemetry } from './telemetry.js';
import { Turn } from './turn.js';
import type { TurnEvent } from './turn-events.js';

const request = { ownerDid: 'did:key:asha', sessionId: 's-1', requestId: 'req-1', message: 'hi', isFollowed: true };

/** Runs a turn with the message "hi", by default on an empty database. Events are those of its run. */
export function runHi(
  model: LanguageModel,
  tools: readonly TurnTool[] = [],
  save = async (_content: string) => true,
  stores?: TestStores,
) {
  const events: TurnEvent[] = [];
  const saved: StoredMessage[] = [];
  const turn = new Turn({ ...request, model }, 'run-1');
  const outcome = outcomeOf(turn, tools, {
    stores,
    onEvent: (event) => events.push(event),
    save: async (message) => {
      saved.push(message);
      return save(message.content);
    },
  });
  return { turn, events, saved, outcome };
}

async function outcomeOf(
  turn: Turn,
  tools: readonly TurnTool[],
  told: {
    stores: TestStores | undefined;
    onEvent: (event: TurnEvent) => void;
    save: (message: StoredMessage) => Promise<boolean>;
  },
) {
  const { ownerDid, sessionId, message: content, model } = turn.request;
  const stores = told.stores ?? (await openTestStores());
  const { conversations, runRepository } = stores;
  const createdAt = new Date(0);
  await conversations.createSession(ownerDid, { sessionId, createdAt });
  const question = { messageId: 'q', turnId: turn.run.runId, type: 'human' as const, content, createdAt };
  const lease = { writerId: 'w', leaseMs: 1_000 };
  await runRepository.claim(turn.run, lease, question);
  const add = conversations.addMessage.bind(conversations);
  conversations.addMessage = async (owner, session, message) =>
    (await told.save(message)) ? add(owner, session, message) : 'absent';
  const endAnswered = runRepository.endAnswered.bind(runRepository);
  runRepository.endAnswered = async (run, writerId, status, answer, textMarks) =>
    (await told.save(answer)) ? endAnswered(run, writerId, status, answer, textMarks) : 'absent';
  const runs = new MemoryRunLogStore({ retentionMs: 1_000, limitChars: 10_000_000 }, () => 0);
  await runs.begin(turn.run, 'w');
  const now = () => new Date(0);
  const log = { error: () => undefined };
  let ids = 0;
  return runTurn(turn, {
    ...stores,
    runs,
    models: { find: () => model },
    signals: new MemoryRunSignals(),
    listeners: [{ emit: (_, event) => event.event !== 'message_cache_invalidation' && told.onEvent(event) }],
    plugins: pluginsWith(tools),
    small: model,
    meters: [],
    gate: {},
    oracleName: 'Jua',
    now,
    newId: () => `call-${++ids}`,
    log,
    onTurnEnd: () => undefined,
    telemetry: noTelemetry,
    limits: {
      activeTurns: 1,
      turnTimeoutMs: 1_000,
      steps: 8,
      sameCalls: 2,
      onConflict: 'interrupt',
      leaseMs: 1_000,
      renewMs: 1_000,
      waitMs: 1,
      queue: { ofSession: 1, ofUser: 1 },
      retentionMs: 1_000,
      approvalMs: 1_000,
    },
    lease,
  });
}
