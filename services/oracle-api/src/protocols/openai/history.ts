import { textWithFiles } from '../../files/message-files.js';
import type { ModelMessage } from '../../models/language-model.js';
import type { StoredAttachment, StoredMessage, StoredToolCall } from '../../store/sessions.js';
import { asJson } from '../tool-results.js';

/** Text of a user message as a session stores it. */
export function shownText({ content, attachments = [] }: ModelMessage): string {
  return textWithFiles(content, attachments);
}

/** A user message in the form of this API, with its files as ids or URLs. */
export function contentOf({ content, attachments = [] }: Pick<StoredMessage, 'content' | 'attachments'>) {
  return [{ type: 'input_text', text: content }, ...attachments.map(filePart)];
}

function filePart({ attachmentId, mxcUri, eventId, filename, mimetype }: StoredAttachment) {
  const isImage = mimetype.startsWith('image/');
  if (attachmentId === undefined) {
    const url = mxcUri ?? eventId ?? '';
    return isImage
      ? { type: 'input_image', image_url: url, file_id: null, detail: 'auto' }
      : { type: 'input_file', file_url: url, filename };
  }
  return isImage
    ? { type: 'input_image', image_url: null, file_id: attachmentId, detail: 'auto' }
    : { type: 'input_file', file_id: attachmentId, filename };
}

/** A message of another session as text that names its files, because the files stay in that session. */
export function referencedText({ content, attachments = [] }: Pick<StoredMessage, 'content' | 'attachments'>): string {
  const names = attachments.map(({ filename }) => `[A file came with this message and is not shown: ${filename}]`);
  return [content, ...names].join('\n');
}

/** A conversation of a request as stored messages: each user message begins a turn, with at most one answer. */
export function storedTurns(earlier: readonly ModelMessage[], newId: () => string, createdAt: Date): StoredMessage[] {
  const messages: StoredMessage[] = [];
  let answer: (StoredMessage & { toolCalls: StoredToolCall[] }) | undefined;
  let turnId = newId();
  for (const message of earlier) {
    if (message.role === 'user') {
      turnId = newId();
      answer = undefined;
      const { attachments } = message;
      const files = attachments === undefined ? {} : { attachments };
      messages.push({ messageId: newId(), turnId, type: 'human', content: shownText(message), ...files, createdAt });
      continue;
    }
    if (answer === undefined) {
      answer = { messageId: newId(), turnId, type: 'ai', content: '', toolCalls: [], status: 'finished', createdAt };
      messages.push(answer);
    }
    const { content, toolCalls = [], toolCallId } = message;
    if (message.role === 'tool') {
      const at = answer.toolCalls.findIndex(({ id }) => id === toolCallId);
      const call = answer.toolCalls[at];
      if (call !== undefined) answer.toolCalls[at] = { ...call, status: 'done', output: asJson(content) };
      continue;
    }
    Object.assign(answer, { content: [answer.content, content].filter(Boolean).join('\n\n') });
    const at = answer.content.length;
    answer.toolCalls.push(...toolCalls.map(({ id, name, args }) => ({ id, name, args, status: 'error', at })));
  }
  return messages.map((one) => (one.toolCalls?.length === 0 ? without(one) : one));
}

function without({ toolCalls: _toolCalls, ...message }: StoredMessage): StoredMessage {
  return message;
}
