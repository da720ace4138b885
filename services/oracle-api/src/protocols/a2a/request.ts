import { requestIdPattern } from '@mlango/schemas/oracle';
import { sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type SettleParts, settleApproval } from '../../agent/suspension.js';
import { fileOfBase64, fileOfUrl, type IncomingFile, refusedPart } from '../../files/incoming-file.js';
import { textWithFiles } from '../../files/message-files.js';
import { requireContent } from '../../http/hooks/api-key-auth.js';
import { type SendDeps, startTurn } from '../../http/start-turn.js';
import type { RunStart } from '../../runs/log/store.js';
import { requireSettling } from '../admission.js';
import { storableText } from '../fields.js';
import { inNewSession, type SessionParts } from '../sessions.js';
import { unsupportedOperation } from './errors.js';
import { findTask, type TaskParts } from './tasks.js';

export type RunDeps = SendDeps & SessionParts & SettleParts & TaskParts;

/** One of `text`, `raw` (base64), `url` and `data`. */
const part = z.looseObject({
  text: z.string().nullish(),
  raw: z.string().nullish(),
  url: z.string().nullish(),
  data: z.unknown().optional(),
  filename: z.string().nullish(),
  mediaType: z.string().max(255).nullish(),
});

/** Parameters of `SendMessage` and `SendStreamingMessage`. */
export const runRequest = z.looseObject({
  message: z.looseObject({
    messageId: z.string().regex(requestIdPattern),
    contextId: z.string().max(200).nullish(),
    taskId: z.string().max(200).nullish(),
    parts: z.array(part).min(1).max(100),
  }),
  configuration: z.looseObject({ returnImmediately: z.boolean().nullish() }).nullish(),
});

type Sent = z.output<typeof runRequest>['message'];

/** A decision on a pending call. */
const decision = z.looseObject({ toolCallId: z.string(), decision: z.enum(['allow', 'deny']) });

/** Starts a task with a message, or continues a suspended one with decisions. @throws ServiceError if refused */
export async function startRun(
  deps: RunDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  message: Sent,
): Promise<RunStart> {
  const ownerDid = callerOf(request).did;
  const { taskId, contextId } = message;
  if (taskId) {
    requireSettling(request);
    requireContent(request, 'earlier');
    return settle(deps, ownerDid, taskId, message);
  }
  const files = deps.messageFiles.check(message.parts.flatMap(filesOfPart), deps.models.default);
  const text = textWithFiles(textOf(message), files);
  if (text === '' || text.length > sendLimits.messageChars) {
    throw new ServiceError('invalid_argument', `message.parts: 1 to ${sendLimits.messageChars} characters of text`);
  }
  const send = async (sessionId: string) => {
    const sent = { message: storableText(text), requestId: message.messageId };
    const body = { ...sent, files, stream: true, returnAllMessages: false, ownerDid, sessionId };
    return { ...(await startTurn(deps, request, reply, body)), ownerDid, sessionId };
  };
  return contextId ? send(contextId) : inNewSession(deps, ownerDid, send);
}

function textOf({ parts }: Sent): string {
  return parts.flatMap((one) => one.text ?? []).join('\n');
}

/** @throws ServiceError for a part that is not accepted, with its place */
function filesOfPart({ text, raw, url, filename, mediaType }: Sent['parts'][number], at: number): IncomingFile[] {
  const place = `message.parts[${at}]`;
  const described = { filename, mediaType };
  if (raw) return [fileOfBase64(`${place}.raw`, raw, described)];
  if (url) return [fileOfUrl(`${place}.url`, url, described)];
  if (typeof text === 'string') return [];
  throw refusedPart(place, 'a part of a message has text, raw or url; data parts answer a task that waits');
}

/** Applies the decisions in data parts to the pending calls of a task. */
async function settle(deps: RunDeps, ownerDid: string, taskId: string, { parts }: Sent): Promise<RunStart> {
  const file = parts.findIndex(({ raw, url }) => raw || url);
  if (file !== -1) throw refusedPart(`message.parts[${file}]`, 'a decision cannot have files');
  const run = await findTask(deps, ownerDid, taskId);
  if (run.status !== 'waiting')
    throw unsupportedOperation('This task has no pending call: start another task in its context');
  const decisions = parts.flatMap(({ data }) => decision.safeParse(data).data ?? []);
  if (decisions.length === 0)
    throw unsupportedOperation('Send {"toolCallId": …, "decision": "allow" or "deny"} in a data part');
  for (const { toolCallId, decision: choice } of decisions) {
    const settled = await settleApproval(deps, ownerDid, taskId, toolCallId, { decision: choice });
    if (settled.kind === 'unknown') throw new ServiceError('invalid_argument', 'No pending call has that toolCallId');
  }
  return run;
}
