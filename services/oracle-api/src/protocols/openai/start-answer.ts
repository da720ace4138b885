import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { historyTokens } from '../../agent/prompt/fit-conversation.js';
import type { TurnOutcome } from '../../agent/turn.js';
import type { FileOwner } from '../../files/file-intake.js';
import { type CheckedFiles, textWithFiles } from '../../files/message-files.js';
import { requireContent } from '../../http/hooks/api-key-auth.js';
import { type ProtocolInput, type SendDeps, type StartedTurn, startTurn } from '../../http/start-turn.js';
import type { LanguageModel, ModelMessage } from '../../models/language-model.js';
import { estimateTokens } from '../../models/usage.js';
import type { StoredAttachment, StoredMessage, StoredToolCall } from '../../store/sessions.js';
import { replyEnd, type TemporarySessions } from '../sessions.js';
import { asJson, storeToolResults } from '../tool-results.js';
import type { OfferedFunctions } from './answer-options.js';
import { refusedParam } from './errors.js';
import { modelOf } from './models.js';
import { type ChatMessage, conversationOf, instructionsOf, newestOf } from './request.js';

export interface AnswerDeps extends SendDeps {
  readonly passing: TemporarySessions;
  readonly plugins: { hasTool(name: string): boolean };
  readonly now: () => Date;
  /** Maximum request size, in bytes. */
  readonly bodyLimit: number;
}

/** A request in the common form of both APIs. */
export interface AnswerRequest extends OfferedFunctions {
  readonly model: string | null | undefined;
  readonly messages: readonly ChatMessage[];
  /** Name of the field with the messages. */
  readonly param: string;
  /** Schema of an object answer; undefined for a text answer. */
  readonly responseSchema: SendMessageBody['responseSchema'];
  readonly stream: boolean;
  /** Session of the answer; undefined for a request that stores nothing. */
  readonly sessionId: string | undefined;
  /** The request contains the whole conversation for a new session. */
  readonly isWhole: boolean;
}

export interface AnswerTurn extends StartedTurn {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly model: string;
}

/** Starts the turn of a request. All refusals happen before the reply has begun. */
export async function startAnswer(
  deps: AnswerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  question: AnswerRequest,
): Promise<AnswerTurn> {
  const { messages, tools, callRules, responseSchema, stream } = question;
  const ownerDid = callerOf(request).did;
  const model = modelOf(deps.models, question.model ?? undefined);
  const body = {
    tools,
    callRules,
    responseSchema,
    stream,
    model: model.id,
    returnAllMessages: false,
    ownerDid,
    systemPrompt: instructionsOf(messages),
    hasClientTools: true,
  };
  const start = async (sessionId: string, words: Words) => {
    const turn = await startTurn(deps, request, reply, { ...body, ...words, sessionId });
    const hasForm = responseSchema !== undefined || callRules?.choice !== undefined;
    const finished = hasForm ? turn.finished.then(withoutWaiting) : turn.finished;
    return { ...turn, finished, ownerDid, sessionId, model: model.id };
  };
  const { sessionId, isWhole } = question;
  if (sessionId !== undefined && !isWhole) {
    return start(sessionId, await goingOn(deps, request, sessionId, model, question));
  }
  const conversation = whole(deps, model, question);
  const address = addressKey(request.ip);
  if (sessionId !== undefined) {
    const owner = { ownerDid, sessionId, address };
    const words = withFiles(conversation, await deps.messageFiles.store(owner, conversation.files.flat()));
    await storeEarlier(deps, owner, words.history.slice(0, -1));
    return start(sessionId, words);
  }
  return deps.passing.start(ownerDid, replyEnd(reply), async (passing) => {
    const owner = { ownerDid, sessionId: passing, address };
    const { attachments, release } = deps.messageFiles.hold(owner, conversation.files.flat());
    try {
      const turn = await start(passing, withFiles(conversation, attachments));
      void turn.finished.finally(release);
      return turn;
    } catch (error) {
      release();
      throw error;
    }
  });
}

/** A suspended turn has no answer in the required form, so it is reported as a failure. */
function withoutWaiting(outcome: TurnOutcome): TurnOutcome {
  if (outcome.status !== 'waiting') return outcome;
  const code = 'approval_required';
  return { ...outcome, failure: { kind: 'unknown', source: 'service', code, detail: waits, retryable: false } };
}

const waits = 'A call needs the approval of the user, so there is no answer in the requested form yet.';

/** Stores the earlier messages, so that a later request can continue the response. */
async function storeEarlier(
  { conversations, storage, newId, now }: AnswerDeps,
  { ownerDid, sessionId, address = ownerDid }: FileOwner,
  earlier: readonly ModelMessage[],
): Promise<void> {
  const messages = storedTurns(earlier, newId, now());
  if (messages.length === 0) return;
  const bytes = Buffer.byteLength(JSON.stringify(messages));
  await storage.take(address, { table: 'messages', bytes, rows: messages.length });
  // Sequential, so that positions follow the order of the messages.
  for (const message of messages) await conversations.addMessage(ownerDid, sessionId, message);
}

type Words = Pick<SendMessageBody, 'message'> &
  Pick<ProtocolInput, 'history' | 'files' | 'filesFrom'> & { readonly attachments?: StoredAttachment[] };

/** Input for a session that has the earlier messages. */
async function goingOn(
  deps: AnswerDeps,
  request: FastifyRequest,
  sessionId: string,
  model: LanguageModel,
  { messages, param }: AnswerRequest,
): Promise<Words> {
  const newest = newestOf(messages, param);
  if (newest.kind === 'results') {
    requireContent(request, 'calls');
    const ownerDid = callerOf(request).did;
    const outputs = new Map(newest.results.map(({ toolCallId = '', text }) => [toolCallId, text]));
    return {
      message: resultWords,
      history: await storeToolResults(deps, ownerDid, sessionId, outputs, 'tool_call_id'),
    };
  }
  // All items of a response's input are new; with a session header only the last message is.
  const fresh = param === 'input' ? newOf(messages) : [newest.message];
  const files = deps.messageFiles.check(
    fresh.flatMap((one) => one.files ?? []),
    model,
  );
  const text = textWithFiles(fresh.flatMap((one) => one.text || []).join('\n\n'), files);
  if (text === '' || text.length > sendLimits.messageChars) {
    throw refusedParam(param, `${param}: a message has 1 to ${sendLimits.messageChars} characters`);
  }
  return { message: text, files };
}

/** User messages after the last answer. */
function newOf(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const conversation = messages.filter(({ role }) => role !== 'system');
  return conversation.slice(conversation.findLastIndex(({ role }) => role !== 'user') + 1);
}

const resultWords = 'Here is what came of the calls.';

/** A conversation of a request, with the files of each message. */
interface WholeConversation {
  readonly history: readonly ModelMessage[];
  readonly files: readonly CheckedFiles[];
}

/** The request contains the whole conversation. */
function whole(
  { messageFiles }: AnswerDeps,
  model: LanguageModel,
  { messages, param }: AnswerRequest,
): WholeConversation {
  const newest = newestOf(messages, param);
  if (newest.kind === 'user' && newest.message.text === '' && (newest.message.files ?? []).length === 0) {
    throw refusedParam(param, `${param}: the last message is empty`);
  }
  const history = conversationOf(messages, param);
  const files: CheckedFiles[] = [];
  const before: CheckedFiles[number][] = [];
  for (const { role, files: incoming = [] } of messages) {
    if (role === 'system') continue;
    const checked = messageFiles.check(incoming, model, before);
    files.push(checked);
    before.push(...checked);
  }
  const tokens = history.reduce((sum, message) => sum + tokensOf(message), 0);
  if (tokens > historyTokens(model)) {
    const details = { fields: [param], code: 'context_length_exceeded' };
    const message = `These messages have about ${tokens} tokens; the maximum for ${model.id} is ${historyTokens(model)}`;
    throw new ServiceError('invalid_argument', message, { details });
  }
  return { history, files };
}

/** @param stored attachments of all files, in order */
function withFiles({ history, files }: WholeConversation, stored: readonly StoredAttachment[]) {
  const left = [...stored];
  const messages = history.map((message, at): ModelMessage => {
    const attachments = left.splice(0, files[at]?.length ?? 0);
    return attachments.length === 0 ? message : { ...message, attachments };
  });
  const last = messages.at(-1);
  const message = last?.role === 'user' ? shownText(last) : resultWords;
  const attachments = last?.attachments?.slice();
  return { message, history: messages, filesFrom: 'request' as const, ...(attachments && { attachments }) };
}

function tokensOf({ content, toolCalls = [] }: ModelMessage): number {
  return estimateTokens(content) + (toolCalls.length === 0 ? 0 : estimateTokens(JSON.stringify(toolCalls)));
}

/** Text of a user message as a session stores it. */
function shownText({ content, attachments = [] }: ModelMessage): string {
  return textWithFiles(content, attachments);
}

/** A conversation of a request as stored messages: each user message begins a turn, with at most one answer. */
function storedTurns(earlier: readonly ModelMessage[], newId: () => string, createdAt: Date): StoredMessage[] {
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
