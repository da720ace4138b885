import type { ModelFile, ModelMessage, ModelToolCall } from '../../models/language-model.js';
import { refusedParam } from './openai-error.js';

/** One message of a request, whichever of the two forms it came in. */
export interface Said {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** URLs of images. */
  readonly images?: readonly string[];
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

/** The conversation as a model reads it. */
export function conversationOf(said: readonly Said[], param: string): ModelMessage[] {
  const calls = new Set<string>();
  return said.flatMap(({ role, text, images = [], toolCalls, toolCallId }): ModelMessage[] => {
    if (role === 'system') return [];
    for (const { id } of toolCalls ?? []) calls.add(id);
    if (role === 'tool' && !calls.has(toolCallId ?? '')) {
      throw refusedParam(param, `${param}: what came of call ${toolCallId} stands before, or without, that call`);
    }
    return [
      {
        role,
        content: text,
        ...(images.length === 0 ? {} : { files: images.map((url) => imageOf(url, param)) }),
        ...(toolCalls === undefined ? {} : { toolCalls }),
        ...(toolCallId === undefined ? {} : { toolCallId }),
      },
    ];
  });
}

const dataUrl = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

function imageOf(url: string, param: string): ModelFile {
  const [, mediaType, base64] = dataUrl.exec(url) ?? [];
  if (mediaType === undefined || base64 === undefined) {
    throw refusedParam(
      param,
      `${param}: an image comes as data:image/png;base64,… (or jpeg, gif, webp)`,
      'unsupported_image',
    );
  }
  return { kind: 'image', filename: 'image', mediaType, bytes: Buffer.from(base64, 'base64') };
}
