import type { FilesFrom } from '../../files/file-intake.js';
import type { ModelMessage, ModelNotes } from '../../models/language-model.js';
import { ModelError } from '../../models/model-error.js';
import type { TurnDeps } from '../deps.js';
import type { Turn } from '../turn.js';
import type { TurnEvents } from '../turn-events.js';
import { type Conversation, readConversation } from './fit-conversation.js';
import { toModelMessages } from './history.js';
import type { PluggedTurn } from './turn-plugins.js';

/** Content of the model requests of a turn. */
export interface Prompt extends PluggedTurn {
  /** The conversation up to and with the message to answer, oldest first. */
  readonly messages: readonly ModelMessage[];
  /** Summary of the messages before those. */
  readonly notes?: ModelNotes | undefined;
}

type PrepareParts = Pick<TurnDeps, 'conversations' | 'memory' | 'summaries' | 'small' | 'plugins' | 'now' | 'log'>;

/**
 * Reads the conversation within the limits of the model and opens the plugins. Rejects with a `ModelError` when a required store is
 * unavailable.
 */
export async function prepareTurn(turn: Turn, parts: PrepareParts, events: TurnEvents): Promise<Prompt> {
  try {
    return await promptOf(turn, parts, events);
  } catch (cause) {
    throw new ModelError('server', 'The conversation could not be read.', { retryable: true, cause });
  }
}

const nothingRead: Conversation = { shown: [], earlier: [] };

async function promptOf(turn: Turn, parts: PrepareParts, events: TurnEvents): Promise<Prompt> {
  const { history: requestHistory, filesFrom = 'history', systemPrompt: appPrompt, timezone } = turn.request;
  // A resumed turn no longer has the history of its request.
  const { shown, notes, gap, earlier, preferences } =
    requestHistory === undefined ? await readConversation(turn, parts) : nothingRead;
  const messages = requestHistory ?? shown.flatMap(toModelMessages);
  const plugged = await parts.plugins.open({ turn, events, messages, earlier, preferences });
  const appInstructions =
    appPrompt && `The app that the user talks through asks, in its own words: ${JSON.stringify(appPrompt)}`;
  const instructions = [plugged.instructions, appInstructions, gap, timeFor(parts.now(), timezone)]
    .filter(Boolean)
    .join('\n\n');
  return { ...plugged, instructions, notes, messages: await withFiles(messages, plugged, filesFrom) };
}

/** The conversation with its files: those of the last message, which is to be answered, and those of earlier ones. */
async function withFiles(
  messages: readonly ModelMessage[],
  { files, readFiles }: PluggedTurn,
  from: FilesFrom,
): Promise<readonly ModelMessage[]> {
  const last = messages.length - 1;
  const earlier = messages.flatMap(({ attachments = [] }, at) => (at === last ? [] : attachments));
  if (files.length === 0 && earlier.length === 0) return messages;
  const read = [...(await readFiles(earlier, from))];
  return messages.map(({ attachments = [], ...message }, at) => {
    const own = at === last ? files : read.splice(0, attachments.length);
    return own.length === 0 ? message : { ...message, files: [...(message.files ?? []), ...own] };
  });
}

/** Last, so that the text before it stays the same from turn to turn and can be cached. */
function timeFor(now: Date, timezone: string | undefined): string {
  const time = `It is ${now.toISOString()}.`;
  return timezone === undefined ? time : `${time} The user's time zone is ${timezone}.`;
}
