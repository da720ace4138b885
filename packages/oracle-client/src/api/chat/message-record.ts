import { isRecord } from '../requests/values.js';
import { readComponent } from '../streams/run-event.js';
import type { CallStatus, IToolCall, PlacedComponent } from './message.js';

export interface StoredCall extends IToolCall {
  /** Characters of the answer before it; absent if the oracle does not report it. */
  readonly at?: number;
}

/** A message as an oracle lists it. */
export interface MessageRecord {
  /** For an answer: the request id of the run that wrote it. */
  readonly id: string;
  readonly type: 'human' | 'ai';
  readonly content: string;
  readonly toolCalls?: readonly StoredCall[];
  /** The components shown with it. */
  readonly components?: readonly PlacedComponent[];
  readonly reasoning?: string;
  /** How the answer ended; absent if the oracle does not report it. */
  readonly status?: string;
  /** `length`: it was as long as it may be. */
  readonly finishReason?: string;
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
  readonly createdAt?: string;
  readonly siblings?: readonly string[];
}

/** A piece of a conversation, oldest first. */
export interface MessagePage {
  readonly messages: readonly MessageRecord[];
  /** Cursor of the messages before these; `null` if there are none. */
  readonly prevCursor: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** The valid messages of a response. Invalid ones are dropped, so that they do not hide the others. */
export function readPage(reply: unknown, sessionId = ''): MessagePage {
  const { messages, prevCursor, hasOlder } = fieldsOf(reply);
  const listed = Array.isArray(messages) ? messages : [];
  return {
    messages: listed.flatMap((message: unknown) => readRecord(fieldsOf(message), sessionId) ?? []),
    prevCursor: typeof prevCursor === 'string' && hasOlder !== false ? prevCursor : null,
  };
}

function readRecord(fields: Fields, sessionId: string) {
  const {
    id,
    type,
    content,
    toolCalls,
    components,
    reasoning,
    status,
    finishReason,
    attachments,
    createdAt,
    siblings,
  } = fields;
  if (typeof id !== 'string' || (type !== 'human' && type !== 'ai')) return undefined;
  const record: MessageRecord = {
    id,
    type,
    content: typeof content === 'string' ? content : '',
    ...(Array.isArray(toolCalls) ? { toolCalls: toolCalls.flatMap((call: unknown) => readCall(fieldsOf(call))) } : {}),
    ...(Array.isArray(components)
      ? { components: components.flatMap((each: unknown) => readComponent(fieldsOf(each), sessionId)) }
      : {}),
    ...(typeof reasoning === 'string' ? { reasoning } : {}),
    ...(typeof status === 'string' ? { status } : {}),
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
    ...(Array.isArray(attachments) ? { attachments: attachments.map(fieldsOf) } : {}),
    ...(typeof createdAt === 'string' ? { createdAt } : {}),
    ...(Array.isArray(siblings) ? { siblings: siblings.filter((id) => typeof id === 'string') } : {}),
  };
  return record;
}

function readCall({ id, name, args, status, output, error, at }: Fields): StoredCall[] {
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  const hasFailed = typeof error === 'string' || status === 'error' || status === 'unknown';
  const isOpen = status === 'isRunning' || status === 'waiting';
  const known: CallStatus = hasFailed ? 'error' : isOpen ? 'isRunning' : 'done';
  return [
    {
      id,
      name,
      args: fieldsOf(args),
      status: known,
      ...(typeof output === 'string' ? { output } : {}),
      ...(typeof error === 'string' ? { error } : {}),
      ...(status === 'unknown' ? { isUncertain: true } : {}),
      ...(typeof at === 'number' ? { at } : {}),
    },
  ];
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
