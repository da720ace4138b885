import { ServiceError } from '@mlango/service-kit/errors';
import { toModelMessages } from '../agent/prompt/history.js';
import type { ModelMessage } from '../models/language-model.js';
import { parseJson } from '../parse-json.js';
import type { ConversationStore, StoredMessage } from '../store/sessions.js';

/** Messages that a turn is shown which goes on from a call. */
const shownMessages = 40;

/**
 * Puts what came of handed-over calls into the answer that made them, where every door shows it, and gives the conversation up to
 * there. Each call is answered once: of requests at the same time one is accepted.
 *
 * @param outputs by the ids of the calls
 * @param field of the request that has them, for refusals
 */
export async function storeToolResults(
  { conversations }: { conversations: Pick<ConversationStore, 'newestMessages' | 'replaceAnswer'> },
  ownerDid: string,
  sessionId: string,
  outputs: ReadonlyMap<string, string>,
  field: string,
): Promise<ModelMessage[]> {
  const messages = await conversations.newestMessages(ownerDid, sessionId, shownMessages);
  const last = messages.at(-1);
  const waiting = (last?.toolCalls ?? []).filter(({ status }) => status === 'handed').map(({ id }) => id);
  if (last === undefined || waiting.length !== outputs.size || waiting.some((id) => !outputs.has(id))) {
    throw refused(field, `these are not the results that the conversation waits for: ${waiting.join(', ') || 'none'}`);
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

/** As the outputs of tools are kept. */
export function asJson(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify(text) : text;
}
