import type { ConversationStore } from '../../store/conversation-store.js';
import { refusedParam } from './openai-error.js';
import type { AnswerPlace } from './response-id.js';
import { type ResponseInput, type ResponseItem, referencedId } from './response-request.js';
import { referencedText } from './stored-turns.js';

/** Ids of items name the place of their message, so that an `item_reference` is resolved without a table of its own. */
export function messageItemId({ sessionId, requestId }: AnswerPlace): string {
  return `msg_${sessionId}.${requestId}`;
}

/** @param index of the call among all calls of the answer: it stays when the call is answered */
export function callItemId({ sessionId, requestId }: AnswerPlace, index: number): string {
  return `fc_${sessionId}.${index}.${requestId}`;
}

interface ItemPlace extends AnswerPlace {
  /** Of a call; undefined for a message. */
  readonly index: number | undefined;
}

/** Undefined for an id that is none of these. Ids of sessions have no dots. */
function placeOf(itemId: string): ItemPlace | undefined {
  const [, sessionId, index, requestId] =
    /^(?:msg|fc)_([^.]+)\.(?:(?<=^fc_[^.]+\.)(\d{1,3})\.)?(.+)$/.exec(itemId) ?? [];
  if (sessionId === undefined || requestId === undefined) return undefined;
  return { sessionId, requestId, index: index === undefined ? undefined : Number(index) };
}

/** Messages that the references of one request may name. */
const mostReferenced = 200;

/**
 * The input with each `item_reference`, which stands for an item of a kept response, replaced by that item.
 * @throws ServiceError for a reference to an item that the user does not have.
 */
export async function withReferencedItems(
  { conversations }: { readonly conversations: Pick<ConversationStore, 'findMessage'> },
  ownerDid: string,
  input: ResponseInput,
): Promise<ResponseInput> {
  if (typeof input === 'string') return input;
  const known = new Map<string, ReturnType<ConversationStore['findMessage']>>();
  const messageAt = ({ sessionId, requestId }: AnswerPlace) => {
    const key = JSON.stringify([sessionId, requestId]);
    if (known.size >= mostReferenced && !known.has(key)) {
      throw refusedParam(
        'input',
        `input: at most ${mostReferenced} responses are referred to; send the items themselves`,
      );
    }
    const found = known.get(key) ?? conversations.findMessage(ownerDid, sessionId, requestId);
    known.set(key, found);
    return found;
  };
  const items: ResponseItem[] = [];
  for (const item of input) {
    const id = referencedId(item);
    const found = id === undefined ? item : await itemAt(messageAt, id);
    if (found === undefined) throw refusedParam('input', `input: there is no item with id '${id?.slice(0, 200)}'`);
    items.push(found);
  }
  return items;
}

async function itemAt(
  messageAt: (place: AnswerPlace) => ReturnType<ConversationStore['findMessage']>,
  itemId: string,
): Promise<ResponseItem | undefined> {
  const place = placeOf(itemId);
  const message = place && (await messageAt(place));
  if (place === undefined || message === undefined) return undefined;
  const { index } = place;
  if (index === undefined)
    return { role: message.type === 'ai' ? 'assistant' : 'user', content: referencedText(message) };
  const call = (message.toolCalls ?? [])[index];
  if (call === undefined) return undefined;
  return { type: 'function_call', call_id: call.id, name: call.name, arguments: JSON.stringify(call.args) };
}
