import type { ModelCatalog } from '../models/model-catalog.js';
import type { RunStart } from '../runs/log/store.js';
import type { MeteredTurn } from '../runs/payment.js';
import type { ConversationStore } from '../store/conversation-store.js';

import type { CallRecord } from './loop/call-records.js';
import type { SuspendedRuns } from './loop/suspended-runs.js';
import { historyMessages, toModelMessages } from './prompt/history.js';
import type { SuspendedRunState } from './turn-request.js';
import { estimatedUsage } from './usage.js';

/** The stored parts of a turn after a process crash. */
export interface PartialAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CallRecord[];
}

export interface RecoveredUsagePorts {
  readonly conversations: Pick<ConversationStore, 'messagesUpTo'>;
  readonly suspended: Pick<SuspendedRuns, 'find'>;
  readonly models: Pick<ModelCatalog, 'find'>;
}

/** For a model that declares no context size. */
const unboundedTokens = 30_000;

/**
 * Estimates the usage of a turn after a process crash, from its partial answer and one read of the conversation. The estimate is low: the
 * number of model requests is unknown, and a turn without output is free. It has the part number that the dead process would have
 * reported, so meters can deduplicate it. Rejects when a store is unavailable.
 */
export async function estimateRecoveredUsage(
  run: RunStart,
  left: PartialAnswer,
  ports: RecoveredUsagePorts,
): Promise<MeteredTurn | undefined> {
  const { conversations, suspended, models } = ports;
  const { runId, ownerDid, sessionId, requestId } = run;
  const state = await suspended.find(runId);
  const newText = textSinceSuspension(state, left);
  if (newText === '') return undefined;
  const stored = await conversations.messagesUpTo(ownerDid, sessionId, runId, { limit: historyMessages });
  const before = stored.filter(({ turnId, type }) => turnId !== runId || type === 'human').flatMap(toModelMessages);
  const { inputTokens, outputTokens } = estimatedUsage({ messages: [...before, ...(state?.messages ?? [])] }, newText);
  const model = models.find(state?.modelId);
  return {
    runId,
    ownerDid,
    sessionId,
    requestId,
    outputTokens,
    inputTokens: Math.min(inputTokens, model?.contextTokens ?? unboundedTokens),
    isEstimated: true,
    part: state?.pauses ?? 0,
    modelId: state?.modelId ?? model?.id ?? 'unknown',
  };
}

/** Text written since the last suspension. The usage before that was reported at the suspension. */
function textSinceSuspension(state: SuspendedRunState | undefined, { text, reasoning, calls }: PartialAnswer): string {
  const reported = (state?.messages ?? []).filter(({ role }) => role === 'assistant');
  const reportedTexts = reported.map(({ content }) => content).filter((content) => content !== '');
  const reportedCalls = new Set(reported.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)));
  const made = calls.filter(({ id }) => !reportedCalls.has(id)).map(({ name, args }) => name + JSON.stringify(args));
  // The frames do not separate reasoning before the suspension from reasoning after it.
  const thought = state === undefined ? reasoning : '';
  const reportedChars = state?.saidChars ?? reportedTexts.join('\n\n').length;
  return [text.slice(reportedChars), thought, ...made].join('');
}
