import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { historyTokens } from '../../agent/prompt/conversation.js';
import type { TurnOutcome } from '../../agent/turn-state.js';
import type { FileOwner } from '../../files/file-intake.js';
import { type CheckedFiles, textWithFiles } from '../../files/message-files.js';
import { requireContent } from '../../http/hooks/api-key-auth.js';
import { type ProtocolInput, type SendDeps, type StartedTurn, startTurn } from '../../http/start-turn.js';
import type { LanguageModel, ModelMessage } from '../../models/language-model.js';
import { estimateTokens } from '../../models/usage.js';
import type { StoredAttachment } from '../../store/sessions.js';
import { replyEnd, type TemporarySessions } from '../sessions.js';
import { storeToolResults } from '../tool-results.js';
import { refusedParam } from './errors.js';
import { shownText, storedTurns } from './history.js';
import { modelOf } from './models.js';
import { type ChatMessage, conversationOf, instructionsOf, newestOf } from './request.js';
import type { OfferedFunctions } from './tools.js';

export interface AnswerDeps extends SendDeps {
  readonly passing: TemporarySessions;
  readonly plugins: { hasTool(name: string): boolean };
  readonly now: () => Date;
  /** Bytes of a request. */
  readonly bodyLimit: number;
}

/** What a request asks for, in whichever of the two forms it came. */
export interface AnswerRequest extends OfferedFunctions {
  readonly model: string | null | undefined;
  readonly said: readonly ChatMessage[];
  /** The field that the messages were in. */
  readonly param: string;
  /** Of the object that the answer is; undefined where it is text. */
  readonly responseSchema: SendMessageBody['responseSchema'];
  readonly stream: boolean;
  /** The session that it is answered in; undefined for a request of which nothing is kept. */
  readonly sessionId: string | undefined;
  /** The request brings the whole conversation: the session is a new one. */
  readonly isWhole: boolean;
}

export interface AnswerTurn extends StartedTurn {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly model: string;
}

/** Starts the turn that answers a request. Everything that can be refused is refused before the reply has begun. */
export async function startAnswer(
  deps: AnswerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  question: AnswerRequest,
): Promise<AnswerTurn> {
  const { said, tools, callRules, responseSchema, stream } = question;
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
    systemPrompt: instructionsOf(said),
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

/** A turn that waits has no answer in the required form: words that name what waits would be taken for one. */
function withoutWaiting(outcome: TurnOutcome): TurnOutcome {
  if (outcome.status !== 'waiting') return outcome;
  const code = 'approval_required';
  return { ...outcome, failure: { kind: 'unknown', source: 'service', code, detail: waits, retryable: false } };
}

const waits = 'A call waits for the approval of the user, so there is no answer in the requested form yet.';

/** Keeps what was said before, so that a later request can go on from the response. */
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

/** What is new is said in a session that has the rest. */
async function goingOn(
  deps: AnswerDeps,
  request: FastifyRequest,
  sessionId: string,
  model: LanguageModel,
  { said, param }: AnswerRequest,
): Promise<Words> {
  const newest = newestOf(said, param);
  if (newest.kind === 'results') {
    requireContent(request, 'calls');
    const ownerDid = callerOf(request).did;
    const outputs = new Map(newest.results.map(({ toolCallId = '', text }) => [toolCallId, text]));
    return {
      message: resultWords,
      history: await storeToolResults(deps, ownerDid, sessionId, outputs, 'tool_call_id'),
    };
  }
  // All items of a response's input are new; of messages with a session header the last one is.
  const fresh = param === 'input' ? newOf(said) : [newest.said];
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

/** Messages of the user after the last answer. */
function newOf(said: readonly ChatMessage[]): readonly ChatMessage[] {
  const spoken = said.filter(({ role }) => role !== 'system');
  return spoken.slice(spoken.findLastIndex(({ role }) => role !== 'user') + 1);
}

const resultWords = 'Here is what came of the calls.';

/** A conversation that a request brings, with the files of each of its messages. */
interface WholeConversation {
  readonly history: readonly ModelMessage[];
  readonly files: readonly CheckedFiles[];
}

/** Everything is in the request. */
function whole({ messageFiles }: AnswerDeps, model: LanguageModel, { said, param }: AnswerRequest): WholeConversation {
  const newest = newestOf(said, param);
  if (newest.kind === 'user' && newest.said.text === '' && (newest.said.files ?? []).length === 0) {
    throw refusedParam(param, `${param}: the last message is empty`);
  }
  const history = conversationOf(said, param);
  const files: CheckedFiles[] = [];
  const before: CheckedFiles[number][] = [];
  for (const { role, files: incoming = [] } of said) {
    if (role === 'system') continue;
    const checked = messageFiles.check(incoming, model, before);
    files.push(checked);
    before.push(...checked);
  }
  const tokens = history.reduce((sum, message) => sum + tokensOf(message), 0);
  if (tokens > historyTokens(model)) {
    const details = { fields: [param], code: 'context_length_exceeded' };
    const message = `These messages are about ${tokens} tokens, and ${historyTokens(model)} are the most for ${model.id}`;
    throw new ServiceError('invalid_argument', message, { details });
  }
  return { history, files };
}

/** @param stored the attachments of all files, in their order */
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
