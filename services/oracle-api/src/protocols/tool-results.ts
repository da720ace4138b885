import { ServiceError } from '@mlango/service-kit/errors';
import { parseJson } from '@mlango/service-kit/parse-json';
import { toModelMessages } from '../agent/prompt/history.js';
import type { ModelMessage } from '../models/language-model.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { StoredMessage } from '../store/sessions.js';

/** Messages in the history of a turn that continues after a call. */
const historyMessages = 40;

/**
 * Stores results of client tool calls in the answer that made the calls, and returns the conversation up to it.
 * Each call is answered once: of concurrent requests one succeeds.
 *
 * @param outputs by call id
 * @param field of the request that contains them, for errors
 */
export async function storeToolResults(
  { conversations }: { conversations: Pick<ConversationStore, 'newestMessages' | 'replaceAnswer'> },
  ownerDid: string,
  sessionId: string,
  outputs: ReadonlyMap<string, string>,
  field: string,
): Promise<ModelMessage[]> {
  const messages = await conversations.newestMessages(ownerDid, sessionId, historyMessages);
  const last = messages.at(-1);
  const waiting = (last?.toolCalls ?? []).filter(({ status }) => status === 'handed').map(({ id }) => id);
  if (last === undefined || waiting.length !== outputs.size || waiting.some((id) => !outputs.has(id))) {
    throw refused(
      field,
      `the results do not match the pending calls of the conversation: ${waiting.join(', ') || 'none'}`,
    );
  }
  const answer = withOutputs(last, outputs);
  if (!(await conversations.replaceAnswer(ownerDid, sessionId, answer, last.toolCalls))) {
    throw refused(field, 'these calls were answered by another request, or their answer was deleted');
  }
  return [...messages.slice(0, -1), answer].flatMap(toModelMessages);
}

function refused(field: string, message: string): ServiceError {
  return new ServiceError('invalid_argument', message, { details: { fields: [field] } });
}

function withOutputs(message: StoredMessage, outputs: ReadonlyMap<string, string>): StoredMessage {
  const toolCalls = (message.toolCalls ?? []).map(({ isOwn, ...call }) => {
    const output = outputs.get(call.id);
    if (output === undefined) return { ...call, ...(isOwn && { isOwn }) };
    return { ...call, status: 'done', output: asJson(output) };
  });
  return { ...message, toolCalls };
}

/** Tool output in its stored form: JSON text. */
export function asJson(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify(text) : text;
}
