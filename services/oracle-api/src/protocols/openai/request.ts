import { isObject } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import { fileOfBase64, fileOfUpload, fileOfUrl, type IncomingFile, refusedPart } from '../../files/incoming-file.js';
import type { ModelMessage, ModelToolCall } from '../../models/language-model.js';
import { storableText } from '../fields.js';
import { refusedParam } from './errors.js';

/** Content of a message, in either form of this API. `readContent` parses the parts, so that errors have their paths. */
export const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string() })).min(1)])
  .describe('Text, or content parts: text and, in user messages, images, files and audio');
export type Content = z.output<typeof content>;
type Part = Exclude<Content, string>[number];

export interface ReadContent {
  readonly text: string;
  readonly files: readonly IncomingFile[];
}

/**
 * Text and files of a message.
 *
 * @param place of the content in the request
 * @throws ServiceError for a part that is not accepted, with its place
 */
export function readContent(content: Content | null | undefined, place: string): ReadContent {
  if (typeof content === 'string') return { text: storableText(content), files: [] };
  const texts: string[] = [];
  const files: IncomingFile[] = [];
  for (const [at, part] of (content ?? []).entries()) {
    const partPlace = `${place}[${at}]`;
    const text = textOfPart(part, partPlace);
    if (text === undefined) files.push(fileOfPart(part, partPlace));
    else texts.push(text);
  }
  return { text: storableText(texts.join('\n')), files };
}

/** Text of a message without files: of the app, of the assistant, or a result of a call. */
export function readText(content: Content | null | undefined, place: string): string {
  const { text, files } = readContent(content, place);
  const [file] = files;
  if (file !== undefined) throw refusedPart(file.place, 'only messages of the user may have files');
  return text;
}

const textFields: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['refusal', 'refusal'],
]);

function textOfPart(part: Part, place: string): string | undefined {
  const field = textFields.get(part.type);
  if (field === undefined) return undefined;
  const text = part[field];
  if (typeof text !== 'string') throw refusedPart(`${place}.${field}`, 'must be text');
  return text;
}

function fileOfPart(part: Part, place: string): IncomingFile {
  switch (part.type) {
    case 'image_url': {
      const { image_url: image } = part;
      return imageOfUrl(isObject(image) ? image['url'] : image, place);
    }
    case 'input_image': {
      const { image_url: url, file_id: id } = part;
      if (url === undefined || url === null) return fileOfUpload(`${place}.file_id`, id, { mediaType: 'image/*' });
      return imageOfUrl(url, place);
    }
    case 'file': {
      const { file } = part;
      if (!isObject(file)) throw refusedPart(`${place}.file`, 'must have file_data or file_id');
      return fileIn(file, `${place}.file`);
    }
    case 'input_file':
      return fileIn(part, place);
    case 'input_audio': {
      const { input_audio: audio } = part;
      if (!isObject(audio)) throw refusedPart(`${place}.input_audio`, 'must have data and format');
      return fileOfBase64(`${place}.input_audio.data`, audio['data'], { mediaType: 'audio/*' });
    }
    default:
      throw refusedPart(place, `parts of type ${part.type.slice(0, 100)} are not accepted`);
  }
}

function imageOfUrl(url: unknown, place: string): IncomingFile {
  return fileOfUrl(`${place}.image_url`, url, { mediaType: isData(url) ? undefined : 'image/*' });
}

function fileIn(file: Readonly<Record<string, unknown>>, place: string): IncomingFile {
  const { file_data: data, file_url: url, file_id: id, filename } = file;
  const described = { filename: typeof filename === 'string' ? filename : undefined };
  if (typeof url === 'string') return fileOfUrl(`${place}.file_url`, url, described);
  if (data === undefined || data === null) return fileOfUpload(`${place}.file_id`, id, described);
  return isData(data)
    ? fileOfUrl(`${place}.file_data`, data, described)
    : fileOfBase64(`${place}.file_data`, data, described);
}

function isData(url: unknown): boolean {
  return typeof url === 'string' && /^data:/i.test(url);
}

/** A message of a request, in the common form of both APIs. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly files?: readonly IncomingFile[];
  readonly toolCalls?: readonly ModelToolCall[];
  /** The call that a tool message answers. */
  readonly toolCallId?: string;
}

/** Instructions of the app for the answer: its system messages. */
export function instructionsOf(messages: readonly ChatMessage[]): string | undefined {
  const texts = messages.flatMap(({ role, text }) => (role === 'system' && text !== '' ? [text] : []));
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** New input of a request: a user message, or results of calls. */
type Newest =
  | { readonly kind: 'user'; readonly message: ChatMessage }
  | { readonly kind: 'results'; readonly results: readonly ChatMessage[] };

/** @param param name of the field with the messages */
export function newestOf(messages: readonly ChatMessage[], param: string): Newest {
  const conversation = messages.filter(({ role }) => role !== 'system');
  const last = conversation.at(-1);
  if (last?.role === 'user') return { kind: 'user', message: last };
  if (last?.role !== 'tool') {
    throw refusedParam(param, `${param}: the last one must be the user's, or be the result of a call`);
  }
  return {
    kind: 'results',
    results: conversation.slice(conversation.findLastIndex(({ role }) => role !== 'tool') + 1),
  };
}

/**
 * The conversation in the form of a model, without its files.
 * @returns one message for each of `messages` that is not the app's
 */
export function conversationOf(messages: readonly ChatMessage[], param: string): ModelMessage[] {
  const calls = new Set<string>();
  return messages.flatMap(({ role, text, toolCalls, toolCallId }): ModelMessage[] => {
    if (role === 'system') return [];
    for (const { id } of toolCalls ?? []) calls.add(id);
    if (role === 'tool' && !calls.has(toolCallId ?? '')) {
      throw refusedParam(param, `${param}: the result of call ${toolCallId} has no earlier call`);
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
