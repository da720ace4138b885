import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { estimateTokens } from '../../models/estimate-tokens.js';
import type { LanguageModel, ModelMessage } from '../../models/language-model.js';
import { historyTokens } from '../../turns/context/read-conversation.js';
import { type FromDoor, type SendDeps, type StartedTurn, startTurn } from '../http/start-turn.js';
import { requireContent } from '../http/take-api-keys.js';
import type { PassingSessions } from '../passing-sessions.js';
import { takeResults } from '../take-results.js';
import { modelOf } from './models.js';
import { refusedParam } from './openai-error.js';
import { appWordsOf, conversationOf, newestOf, type Said } from './said.js';

export interface AskDeps extends SendDeps {
  readonly passing: PassingSessions;
}

/** What a request asks for, in whichever of the two forms it came. */
export interface Question {
  readonly model: string | undefined;
  readonly said: readonly Said[];
  /** The field that the messages were in. */
  readonly param: string;
  readonly tools: SendMessageBody['tools'];
  readonly stream: boolean;
  /** The session that it goes on with; undefined for a request that brings its whole conversation. */
  readonly sessionId: string | undefined;
}

export interface AskedTurn extends StartedTurn {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly model: string;
}

/** Starts the turn that answers a request. Everything that can be refused is refused before the reply has begun. */
export async function ask(
  deps: AskDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  question: Question,
): Promise<AskedTurn> {
  const { said, tools, stream } = question;
  const ownerDid = callerOf(request).did;
  const model = modelOf(deps.models, question.model);
  const body = {
    tools,
    stream,
    model: model.id,
    returnAllMessages: false,
    ownerDid,
    appWords: appWordsOf(said),
    handsOver: true,
  };
  const start = async (sessionId: string, words: Words) => {
    const turn = await startTurn(deps, request, reply, { ...body, ...words, sessionId });
    return { ...turn, ownerDid, sessionId, model: model.id };
  };
  if (question.sessionId !== undefined) {
    return start(question.sessionId, await goingOn(deps, request, question.sessionId, question));
  }
  const words = whole(model, question);
  const read = new Promise((resolve) => reply.raw.once('close', resolve));
  return deps.passing.start(ownerDid, read, (sessionId) => start(sessionId, words));
}

type Words = Pick<SendMessageBody, 'message' | 'attachments'> & Pick<FromDoor, 'given'>;

/** What is new is said in a session that has the rest. */
async function goingOn(
  deps: AskDeps,
  request: FastifyRequest,
  sessionId: string,
  { said, param }: Question,
): Promise<Words> {
  const newest = newestOf(said, param);
  if (newest.kind === 'results') {
    requireContent(request, 'calls');
    const ownerDid = callerOf(request).did;
    const outputs = new Map(newest.results.map(({ toolCallId = '', text }) => [toolCallId, text]));
    return { message: resultWords, given: await takeResults(deps, ownerDid, sessionId, outputs, 'tool_call_id') };
  }
  const { text, images = [] } = newest.said;
  if (text === '' || text.length > sendLimits.messageChars) {
    throw refusedParam(param, `${param}: a message has 1 to ${sendLimits.messageChars} characters`);
  }
  const attachments = images.map((url) => {
    if (/^(mxc|https?):\/\//.test(url) && url.length <= 2_048)
      return { mxcUri: url, filename: 'image', mimetype: 'image/*' };
    throw refusedParam(
      param,
      `${param}: a session keeps where an image is: at an https:// or mxc:// address`,
      'unsupported_image',
    );
  });
  return {
    message: text,
    ...(attachments.length > 0 && { attachments: attachments.slice(0, sendLimits.attachments) }),
  };
}

const resultWords = 'Here is what came of the calls.';

/** Everything is in the request. */
function whole(model: LanguageModel, { said, param }: Question): Words {
  const newest = newestOf(said, param);
  const given = conversationOf(said, param);
  if (!model.seesImages && given.some(({ files = [] }) => files.length > 0)) {
    throw refusedParam(param, `${param}: the model ${model.id} cannot look at images`, 'unsupported_image');
  }
  const tokens = given.reduce((sum, message) => sum + tokensOf(message), 0);
  if (tokens > historyTokens(model)) {
    const details = { fields: [param], code: 'context_length_exceeded' };
    const message = `These messages are about ${tokens} tokens, and ${historyTokens(model)} are the most for ${model.id}`;
    throw new ServiceError('invalid_argument', message, { details });
  }
  const text = newest.kind === 'user' ? newest.said.text : '';
  return { message: text.slice(0, sendLimits.messageChars) || resultWords, given };
}

function tokensOf({ content, toolCalls = [] }: ModelMessage): number {
  return estimateTokens(content) + (toolCalls.length === 0 ? 0 : estimateTokens(JSON.stringify(toolCalls)));
}
