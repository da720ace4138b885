import type { ModelCatalog } from '../../models/model-catalog.js';
import type { RunStart } from '../../runs/run-store.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import { estimatedUsage, type MeteredTurn } from '../after/turn-usage.js';
import type { KeptCall } from '../calls/call-records.js';
import type { PausedTurn } from '../calls/paused-turn.js';
import type { PausedTurns } from '../calls/paused-turns.js';
import { historyMessages } from '../context/fit-history.js';
import { toModelMessages } from '../context/history.js';

/** What is known of a turn whose process is gone. */
export interface LeftBehind {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly KeptCall[];
}

export interface UsageLeftPorts {
  readonly conversations: Pick<ConversationStore, 'messagesUpTo'>;
  readonly paused: Pick<PausedTurns, 'find'>;
  readonly models: Pick<ModelCatalog, 'find'>;
}

/** Of a model that does not say how much it reads. */
const unboundedTokens = 30_000;

/**
 * What a turn took whose process is gone, by what it has left: what it had written, and the conversation, read once. Rather too
 * little than too much: how often the model was asked is not known, and a turn that has left nothing is free. It is the same
 * part as its process would have told, so that a meter that knew of it already knows it is the same. Rejects when a store cannot be reached.
 */
export async function usageLeft(
  run: RunStart,
  left: LeftBehind,
  ports: UsageLeftPorts,
): Promise<MeteredTurn | undefined> {
  const { conversations, paused, models } = ports;
  const { runId, ownerDid, sessionId, requestId } = run;
  const state = await paused.find(runId);
  const said = saidSince(state, left);
  if (said === '') return undefined;
  const stored = await conversations.messagesUpTo(ownerDid, sessionId, runId, { limit: historyMessages });
  const before = stored.filter(({ turnId, type }) => turnId !== runId || type === 'human').flatMap(toModelMessages);
  const { inputTokens, outputTokens } = estimatedUsage({ messages: [...before, ...(state?.messages ?? [])] }, said);
  const model = models.find(state?.modelId);
  return {
    ...{ runId, ownerDid, sessionId, requestId, outputTokens },
    inputTokens: Math.min(inputTokens, model?.contextTokens ?? unboundedTokens),
    isEstimated: true,
    part: state?.pauses ?? 0,
    modelId: state?.modelId ?? model?.id ?? 'unknown',
  };
}

/** What the turn had written since it last waited for its user: what it took until then was told when it did. */
function saidSince(state: PausedTurn | undefined, { text, reasoning, calls }: LeftBehind): string {
  const told = (state?.messages ?? []).filter(({ role }) => role === 'assistant');
  const toldText = told.map(({ content }) => content).filter((content) => content !== '');
  const toldCalls = new Set(told.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)));
  const made = calls.filter(({ id }) => !toldCalls.has(id)).map(({ name, args }) => name + JSON.stringify(args));
  // What it had thought before is in its frames together with what it thought after.
  const thought = state === undefined ? reasoning : '';
  const toldChars = state?.saidChars ?? toldText.join('\n\n').length;
  return [text.slice(toldChars), thought, ...made].join('');
}
