import type { ModelFile, ModelMessage } from '../../models/language-model.js';
import { ModelError } from '../../models/model-error.js';
import type { StoredMessage } from '../../store/conversation-store.js';
import type { Turn } from '../lifecycle/turn.js';
import type { TurnEvents } from '../lifecycle/turn-events.js';
import type { RunParts } from '../lifecycle/turns-parts.js';
import { historyMessages, toModelMessages } from './history.js';
import type { PluggedTurn } from './turn-plugins.js';

/** What a model is asked with. */
export interface Prompt extends PluggedTurn {
  /** The conversation up to and with the message to answer, oldest first. */
  readonly messages: readonly ModelMessage[];
}

type PrepareParts = Pick<RunParts, 'conversations' | 'plugins' | 'summaries' | 'now'>;

/**
 * Reads the conversation as far as the model can hold it, and opens the turn to what plugs into it. Rejects with a `ModelError`
 * when what the turn stands on cannot be read.
 */
export async function prepareTurn(turn: Turn, parts: PrepareParts, events: TurnEvents): Promise<Prompt> {
  try {
    return await promptOf(turn, parts, events);
  } catch (cause) {
    throw new ModelError('server', 'The conversation could not be read.', { retryable: true, cause });
  }
}

async function promptOf(turn: Turn, parts: PrepareParts, events: TurnEvents): Promise<Prompt> {
  const { model, timezone } = turn.request;
  const stored = await readConversation(turn, parts);
  const { kept, summary } = await parts.summaries.fit(turn.run, stored, model, turn.signal);
  const messages = kept.flatMap(toModelMessages);
  const plugged = await parts.plugins.open({ turn, events, messages, earlier: stored.slice(0, -1) });
  const instructions = [plugged.instructions, summary, timeFor(parts.now(), timezone)].filter(Boolean).join('\n\n');
  return { ...plugged, instructions, messages: withFiles(messages, plugged.files) };
}

/** The files stand with the message to answer, which is the last one. */
function withFiles(messages: readonly ModelMessage[], files: readonly ModelFile[]): readonly ModelMessage[] {
  if (files.length === 0) return messages;
  return messages.map((message, at) => (at === messages.length - 1 ? { ...message, files } : message));
}

/** Up to the message to answer: those that wait for their own turns come after it. */
async function readConversation({ run }: Turn, { conversations }: PrepareParts): Promise<StoredMessage[]> {
  const stored = await conversations.newestMessages(run.ownerDid, run.sessionId, historyMessages);
  return stored.slice(0, stored.findLastIndex(({ turnId }) => turnId === run.runId) + 1);
}

/** Last, so that what stands before it is the same from turn to turn. */
function timeFor(now: Date, timezone: string | undefined): string {
  const time = `It is ${now.toISOString()}.`;
  return timezone === undefined ? time : `${time} The user's time zone is ${timezone}.`;
}
