import type { IncomingFile } from '../../files/incoming-file.js';
import type { ModelMessage, ModelToolCall } from '../../models/language-model.js';
import { refusedParam } from './openai-error.js';

/** One message of a request, whichever of the two forms it came in. */
export interface Said {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly files?: readonly IncomingFile[];
  readonly toolCalls?: readonly ModelToolCall[];
  /** The call that a tool's message answers. */
  readonly toolCallId?: string;
}

/** What the app asks of the answer, beside the conversation. */
export function appWordsOf(said: readonly Said[]): string | undefined {
  const texts = said.flatMap(({ role, text }) => (role === 'system' && text !== '' ? [text] : []));
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** What is new in a request: words of the user, or what came of calls. */
type Newest =
  | { readonly kind: 'user'; readonly said: Said }
  | { readonly kind: 'results'; readonly results: readonly Said[] };

/** @param param the field that the messages are in. */
export function newestOf(said: readonly Said[], param: string): Newest {
  const spoken = said.filter(({ role }) => role !== 'system');
  const last = spoken.at(-1);
  if (last?.role === 'user') return { kind: 'user', said: last };
  if (last?.role !== 'tool') {
    throw refusedParam(param, `${param}: the last one must be the user's, or say what came of a call`);
  }
  return { kind: 'results', results: spoken.slice(spoken.findLastIndex(({ role }) => role !== 'tool') + 1) };
}

/**
 * The conversation as a model reads it, without its files.
 * @returns one message for each of `said` that is not the app's
 */
export function conversationOf(said: readonly Said[], param: string): ModelMessage[] {
  const calls = new Set<string>();
  return said.flatMap(({ role, text, toolCalls, toolCallId }): ModelMessage[] => {
    if (role === 'system') return [];
    for (const { id } of toolCalls ?? []) calls.add(id);
    if (role === 'tool' && !calls.has(toolCallId ?? '')) {
      throw refusedParam(param, `${param}: what came of call ${toolCallId} stands before, or without, that call`);
    }
    return [
      {
        role,
        content: text,
        ...(toolCalls === undefined ? {} : { toolCalls }),
        ...(toolCallId === undefined ? {} : { toolCallId }),
      },
    ];
  });
}
