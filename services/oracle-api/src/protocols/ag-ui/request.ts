import { jsonSchemaObject } from '@mlango/schemas/json-schema';
import { requestIdPattern } from '@mlango/schemas/oracle';
import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { issueText } from '@mlango/service-kit/errors';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SettleParts } from '../../agent/suspension.js';
import { fileOfBase64, fileOfUpload, fileOfUrl, type IncomingFile, refusedPart } from '../../files/incoming-file.js';
import { textWithFiles } from '../../files/message-files.js';
import { refusedField } from '../../http/errors.js';
import { requireContent } from '../../http/hooks/api-key-auth.js';
import { type SendDeps, startTurn } from '../../http/start-turn.js';
import type { RunStart } from '../../runs/log/store.js';
import type { RunRepository } from '../../runs/run-repository.js';
import { type SessionNames, sessionName } from '../../store/session-names.js';
import { requireSettling } from '../admission.js';
import { listOrNone, storableText } from '../fields.js';
import { openNewNamedSession, type SessionParts } from '../sessions.js';
import { storeToolResults } from '../tool-results.js';
import { settleInterrupts } from './approvals.js';

const part = z.looseObject({ type: z.string(), text: z.string().nullish() });

/** Parts of version 1.0, with the default media type of each. */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['image', 'image/*'],
  ['audio', 'audio/*'],
  ['video', 'video/*'],
  ['document', 'application/*'],
]);
const mediaPart = z.looseObject({
  source: z.looseObject({ type: z.string(), value: z.string(), mimeType: z.string().max(255).nullish() }),
});
/** The form of parts before version 1.0. */
const binaryPart = z.looseObject({
  mimeType: z.string().max(255).nullish(),
  id: z.string().nullish(),
  url: z.string().nullish(),
  data: z.string().nullish(),
  filename: z.string().nullish(),
});
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part).max(1_000)]).nullish(),
  toolCallId: z.string().nullish(),
  error: z.string().nullish(),
});

const tool = z.looseObject({
  name: z.string().min(1).max(sendLimits.toolNameChars),
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
});

const resumed = z.looseObject({
  interruptId: z.string().max(500),
  status: z.enum(['resolved', 'cancelled']),
  payload: z.unknown().optional(),
});

/** Request body of `HttpAgent`. Only new messages count, because the session has the others. */
export const runRequest = z
  .looseObject({
    threadId: sessionName.describe('names the session, which is created if it does not exist'),
    runId: z.string().regex(requestIdPattern).describe('id of the answer'),
    messages: z.array(message).max(1_000),
    tools: listOrNone(z.array(tool).max(64)),
    context: listOrNone(z.array(z.looseObject({ description: z.string(), value: z.string() })).max(100)),
    state: z.unknown().optional(),
    protocolVersion: z.string().max(20).nullish().describe('sent by clients since 1.0'),
    resume: z.array(resumed).max(100).nullish(),
  })
  .describe('`RunAgentInput`');

export type RunRequest = z.output<typeof runRequest>;

type RunDeps = SendDeps &
  SessionParts &
  SettleParts & {
    readonly sessionNames: SessionNames;
    readonly runRepository: Pick<RunRepository, 'findByRequest'>;
  };

/** The run of a request: a resumed one, a repeated one, or a new one. Its frames after `after` are new to the client. */
export async function startRun(
  deps: RunDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: RunRequest,
): Promise<{ run: RunStart; after: number }> {
  const { did: ownerDid } = callerOf(request);
  const { threadId, runId: requestId } = body;
  const resume = body.resume ?? [];
  const own = await deps.sessionNames.find(ownerDid, threadId);
  const found = own ?? threadId;
  if (resume.length > 0) {
    requireSettling(request);
    requireContent(request, 'earlier');
    return settleInterrupts(deps, ownerDid, found, resume);
  }
  const known = await findRepeated(deps, ownerDid, found, requestId);
  if (known !== undefined) {
    requireContent(request, 'earlier');
    return { run: known, after: 0 };
  }
  const { words, files: incoming, results } = newestOf(body);
  const files = deps.messageFiles.check(incoming, deps.models.default);
  if (results.size > 0) requireContent(request, 'calls');
  const history = results.size > 0 ? await storeToolResults(deps, ownerDid, found, results, 'messages') : undefined;
  // The results are stored in the session, which the turn of a text message reads.
  const input =
    words === undefined ? { message: 'Here is what came of the calls.', history } : { message: words, files };
  const sessionId =
    own === undefined && history === undefined
      ? await openNewNamedSession(deps, ownerDid, threadId, 'threadId')
      : found;
  const options = { tools: toolsOf(body), systemPrompt: instructionsOf(body), hasClientTools: true };
  const where = { ownerDid, sessionId, requestId, stream: true, returnAllMessages: false };
  const turn = await startTurn(deps, request, reply, { ...input, ...options, ...where });
  return { run: { ...turn, ownerDid, sessionId }, after: 0 };
}

/** The running or finished run of a repeated request. */
async function findRepeated(
  { runRepository, conversations }: Pick<RunDeps, 'runRepository' | 'conversations'>,
  ownerDid: string,
  sessionId: string,
  requestId: string,
): Promise<RunStart | undefined> {
  const live = await runRepository.findByRequest(ownerDid, requestId);
  if (live?.sessionId === sessionId) return live;
  const answer = await conversations.findMessage(ownerDid, sessionId, requestId);
  return answer && { runId: answer.turnId, ownerDid, sessionId, requestId };
}

/** New input: a user message, results of page tools by call id, or both. */
interface Newest {
  readonly words: string | undefined;
  /** Files of the message. */
  readonly files: readonly IncomingFile[];
  readonly results: ReadonlyMap<string, string>;
}

/** Results can follow at any place after the last answer: some pages send them with the next user message. */
function newestOf({ messages }: RunRequest): Newest {
  const firstFresh = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  for (const [at, one] of messages.entries()) {
    const isRead = one.role === 'system' || one.role === 'developer' || (one.role === 'tool' && at >= firstFresh);
    const [file] = isRead ? filesOf(one, `messages[${at}].content`) : [];
    if (file !== undefined) throw refusedPart(file.place, 'only messages of the user may have files');
  }
  const toolMessages = messages.slice(firstFresh).filter(({ role }) => role === 'tool');
  const results = new Map(toolMessages.map((one) => [one.toolCallId ?? '', one.error ?? textOf(one)]));
  const at = messages.findLastIndex(({ role }) => role === 'user' || role === 'tool' || role === 'assistant');
  const last = messages[at];
  if (last?.role === 'tool') return { words: undefined, files: [], results };
  const files = last?.role === 'user' ? filesOf(last, `messages[${at}].content`) : [];
  const words = last?.role === 'user' ? textWithFiles(textOf(last), files) : '';
  if (words !== '' && words.length <= sendLimits.messageChars) return { words, files, results };
  const rule = `the last one must be the user's, with 1 to ${sendLimits.messageChars} characters of text, or be the result of a call`;
  throw refusedField('body', 'messages', rule);
}

/** @throws ServiceError for a part that is not accepted, with its place */
function filesOf({ content }: z.output<typeof message>, place: string): IncomingFile[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((one, at) => (one.type === 'text' ? [] : [fileOfPart(one, `${place}[${at}]`)]));
}

function fileOfPart(one: z.output<typeof part>, place: string): IncomingFile {
  if (one.type === 'binary') {
    const { mimeType: mediaType, id, url, data, filename } = partAs(binaryPart, one, place);
    const described = { mediaType, filename };
    if (data) return fileOfBase64(`${place}.data`, data, described);
    return url ? fileOfUrl(`${place}.url`, url, described) : fileOfUpload(`${place}.id`, id, described);
  }
  const kind = mediaTypes.get(one.type);
  if (kind === undefined) throw refusedPart(place, `parts of type ${one.type.slice(0, 100)} are not accepted`);
  const { source } = partAs(mediaPart, one, place);
  const described = { mediaType: source.mimeType || kind };
  if (source.type === 'data') return fileOfBase64(`${place}.source.value`, source.value, described);
  if (source.type === 'url') return fileOfUrl(`${place}.source.value`, source.value, described);
  throw refusedPart(`${place}.source.type`, 'must be data or url');
}

function partAs<Shape extends z.ZodObject>(shape: Shape, one: object, place: string): z.output<Shape> {
  const read = shape.safeParse(one);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refusedPart([place, ...(issue?.path ?? [])].join('.'), issueText(issue ?? {}));
}

/** Instructions of the page for the answer: its system messages and its context. */
function instructionsOf({ messages, context }: RunRequest): string | undefined {
  const instructions = messages.filter(({ role }) => role === 'system' || role === 'developer').map(textOf);
  const seen = context.map(({ description, value }) => `${description}: ${value}`);
  const words = [...instructions, ...seen].filter((text) => text !== '');
  return words.length === 0 ? undefined : words.join('\n\n');
}

/** The page's tools in the form of a turn. */
function toolsOf({ tools }: RunRequest): SendMessageBody['tools'] {
  if (tools.length === 0) return undefined;
  return tools.map(({ name, description, parameters }) => ({
    name,
    description: description ?? '',
    schema: parameters ?? {},
  }));
}

function textOf({ content }: z.output<typeof message>): string {
  if (!Array.isArray(content)) return storableText(content ?? '');
  return storableText(content.flatMap(({ text }) => text ?? []).join('\n'));
}
