import type { LanguageModel } from '../models/language-model.js';
import { MemoryRunLogStore } from '../runs/log/memory.js';
import { MemoryRunRegister } from '../runs/memory-run-repository.fixture.js';
import { MemoryRunSignals } from '../runs/signals.js';
import { MemoryConversationStore } from '../store/memory-conversation-store.fixture.js';
import { MemorySummaryStore } from '../store/memory-summary-store.fixture.js';
import type { StoredMessage } from '../store/sessions.js';
import { readSeparately } from '../store/turn-memory.js';
import type { CallRecords } from './loop/call-records.js';
import { MemoryCallRecords } from './loop/memory-call-records.fixture.js';
import { nothingPaused, nothingWaits } from './loop/no-approvals.fixture.js';
import type { TurnTool } from './loop/turn-tool.js';
import { pluginsWith } from './prompt/no-plugins.fixture.js';
import { runTurn } from './run-turn.js';
import { untoldTelemetry } from './telemetry.js';
import { Turn } from './turn.js';
import type { TurnEvent } from './turn-events.js';

const request = { ownerDid: 'did:key:asha', sessionId: 's-1', requestId: 'req-1', message: 'hi', isFollowed: true };

/** Runs a turn with the message "hi" on stores in memory. Events are those of its run. */
export function runHi(
  model: LanguageModel,
  tools: readonly TurnTool[] = [],
  save = async (_content: string) => true,
  calls: CallRecords = new MemoryCallRecords(),
) {
  const events: TurnEvent[] = [];
  const saved: StoredMessage[] = [];
  const turn = new Turn({ ...request, model }, 'run-1');
  const outcome = outcomeOf(turn, tools, {
    calls,
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
  told: { calls: CallRecords; onEvent: (event: TurnEvent) => void; save: (message: StoredMessage) => Promise<boolean> },
) {
  const { ownerDid, sessionId, message: content, model } = turn.request;
  const conversations = new MemoryConversationStore();
  const createdAt = new Date(0);
  await conversations.createSession(ownerDid, { sessionId, createdAt });
  const question = { messageId: 'q', turnId: turn.run.runId, type: 'human' as const, content, createdAt };
  await conversations.addMessage(ownerDid, sessionId, question);
  const add = conversations.addMessage.bind(conversations);
  conversations.addMessage = async (owner, session, message) =>
    (await told.save(message)) ? add(owner, session, message) : 'absent';
  const summaries = new MemorySummaryStore(conversations);
  const runs = new MemoryRunLogStore({ retentionMs: 1_000, limitChars: 10_000_000 }, () => 0);
  await runs.begin(turn.run, 'w');
  const register = new MemoryRunRegister(conversations, Date.now);
  const now = () => new Date(0);
  const log = { error: () => undefined };
  let ids = 0;
  return runTurn(turn, {
    conversations,
    summaries,
    memory: readSeparately({ conversations, summaries }),
    runs,
    register,
    calls: told.calls,
    suspended: nothingPaused,
    approvals: nothingWaits,
    models: { find: () => model },
    signals: new MemoryRunSignals(),
    listeners: [{ emit: (_, event) => event.event !== 'message_cache_invalidation' && told.onEvent(event) }],
    plugins: pluginsWith(tools),
    small: model,
    meters: [],
    usageOutbox: register.untold,
    gate: {},
    oracleName: 'Jua',
    now,
    newId: () => `call-${++ids}`,
    log,
    onTurnEnd: () => undefined,
    telemetry: untoldTelemetry,
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
    lease: { writerId: 'w', leaseMs: 1_000 },
  });
}
