import type { ModelFile, ModelMessage } from '../../models/language-model.js';
import type { StoredMessage } from '../../store/conversation-store.js';
import type { PlacedSend } from '../lifecycle/send-request.js';
import type { PreparedTurn } from '../lifecycle/turn.js';
import type { TurnEvent, TurnPlace } from '../lifecycle/turn-event.js';
import type { TurnsParts } from '../lifecycle/turn-parts.js';
import type { ConversationSummaries } from './conversation-summaries.js';
import { historyMessages, toModelMessages } from './history.js';

export interface TurnToPrepare {
  readonly send: PlacedSend;
  readonly place: TurnPlace;
  readonly signal: AbortSignal;
  /** Tells those who follow the run. Never rejects. */
  readonly emit: (event: TurnEvent) => Promise<void>;
}

/** Reads the conversation as far as the model can hold it, and opens the turn to what plugs into it. */
export async function prepareTurn(
  parts: Pick<TurnsParts, 'conversations' | 'plugins' | 'now'>,
  summaries: ConversationSummaries,
  { send, place, signal, emit }: TurnToPrepare,
): Promise<PreparedTurn> {
  const { model, timezone, metadata, mcpInvocations, address, matrix, roomId } = send;
  const stored = await readConversation(parts, place);
  const { kept, summary } = await summaries.fit(place, stored, model, signal);
  const messages = kept.flatMap(toModelMessages);
  const plugged = await parts.plugins.open({
    place,
    messages,
    earlierCalls: stored.flatMap(({ toolCalls }) => toolCalls ?? []),
    model,
    attachments: stored.at(-1)?.attachments ?? [],
    earlierAttachments: stored.slice(0, -1).flatMap(({ attachments }) => attachments ?? []),
    declared: send,
    ...(roomId === undefined ? {} : { roomId }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(mcpInvocations === undefined ? {} : { mcpInvocations }),
    ...(address === undefined ? {} : { address }),
    ...(matrix === undefined ? {} : { matrix }),
    signal,
    emit,
  });
  const { instructions, preferences, files } = plugged;
  return {
    model: plugged.around(model),
    instructions: [instructions, summary, timeFor(parts.now(), timezone)].filter(Boolean).join('\n\n'),
    ...(preferences === undefined ? {} : { preferences }),
    messages: files.length === 0 ? messages : withFiles(messages, files),
    tools: () => plugged.tools(),
    close: () => plugged.close(),
  };
}

/** The files stand with the message to answer, which is the last one. */
function withFiles(messages: readonly ModelMessage[], files: readonly ModelFile[]): ModelMessage[] {
  return messages.map((message, at) => (at === messages.length - 1 ? { ...message, files } : message));
}

/** Up to the message to answer: those that wait for their own turns come after it. */
async function readConversation(
  { conversations }: Pick<TurnsParts, 'conversations'>,
  { ownerDid, sessionId, runId }: TurnPlace,
): Promise<StoredMessage[]> {
  const stored = await conversations.newestMessages(ownerDid, sessionId, historyMessages);
  return stored.slice(0, stored.findLastIndex(({ turnId }) => turnId === runId) + 1);
}

/** Last, so that what stands before it is the same from turn to turn. */
function timeFor(now: Date, timezone: string | undefined): string {
  const time = `It is ${now.toISOString()}.`;
  return timezone === undefined ? time : `${time} The user's time zone is ${timezone}.`;
}
