import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { isTimeZone } from '@mlango/schemas/time-zone';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey } from '@mlango/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AdmissionParts, admit } from '../agent/admission.js';
import type { SendResult } from '../agent/turn.js';
import type { MatrixSession, TurnRequest } from '../agent/turn-request.js';
import type { Turns } from '../agent/turns.js';
import type { CheckedFiles, MessageFiles } from '../files/message-files.js';
import type { LanguageModel } from '../models/language-model.js';
import type { ModelCatalog } from '../models/model-catalog.js';
import { answerSchemaProblem } from '../models/tool-schemas/untrusted-schema.js';
import type { PaymentDemand } from '../runs/payment.js';
import { mostBranches } from '../store/branches.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { PlacedMessage, StoredAttachment } from '../store/sessions.js';
import { refusedField } from './errors.js';
import { mayHave, requireContent } from './hooks/api-key-auth.js';

export interface SendDeps extends AdmissionParts {
  readonly conversations: ConversationStore;
  readonly turns: Turns;
  readonly models: ModelCatalog;
  readonly newId: () => string;
  readonly messageFiles: Pick<MessageFiles, 'check' | 'store' | 'undo' | 'hold'>;
}

export type StartedTurn = Extract<SendResult, { kind: 'started' }> & { readonly requestId: string };

/** Input of a message that arrives by another protocol. */
export interface ProtocolInput
  extends Pick<TurnRequest, 'hasClientTools' | 'callRules' | 'history' | 'filesFrom' | 'systemPrompt' | 'branchFrom'> {
  /** Replaces the selected model. */
  readonly answeredBy?: LanguageModel;
  /** Files of the message, which are stored once the message is admitted. */
  readonly files?: CheckedFiles;
}

/** Starts the turn of a request, and sets the headers with its ids. All refusals happen before the reply has begun. */
export async function startTurn(
  deps: SendDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: SendMessageBody & { ownerDid: string; sessionId: string } & ProtocolInput,
): Promise<StartedTurn> {
  const model = body.answeredBy ?? deps.models.find(body.model);
  if (model === undefined) throw refusedField('body', 'model', 'no such model; GET /models lists them');
  const timezone = body.timezone ?? headerTimezone(request);
  const { ownerDid, sessionId, message, stream, attachments, tools, agActions, metadata, mcpInvocations } = body;
  const { hasClientTools, callRules, history, filesFrom, systemPrompt, branchFrom, responseSchema, files = [] } = body;
  const schemaProblem = responseSchema && answerSchemaProblem(responseSchema);
  if (schemaProblem) throw refusedField('body', 'responseSchema', schemaProblem);
  if (tools?.length || agActions?.length) requireContent(request, 'calls');
  const withoutTools = !mayHave(request, 'calls');
  const matrix = matrixSession(request, body.homeServer);
  const address = addressKey(request.ip);
  const runId = deps.newId();
  const owner = { ownerDid, sessionId, address };
  let stored: readonly StoredAttachment[] = [];
  const send = (requestId: string, allowed: Promise<void>) =>
    deps.turns.send({
      runId,
      allowed,
      ownerDid,
      sessionId,
      message,
      model,
      requestId,
      isFollowed: stream,
      address,
      attachments: stored.length === 0 ? attachments : [...(attachments ?? []), ...stored],
      tools,
      agActions,
      timezone,
      metadata,
      mcpInvocations,
      matrix,
      hasClientTools,
      callRules,
      history,
      filesFrom,
      systemPrompt,
      branchFrom,
      responseSchema,
      withoutTools,
    });

  let requestId = body.requestId ?? request.id;
  const admitted = admit(deps, { ownerDid, sessionId, runId, address, message }, async (allowed) => {
    if (files.length > 0) {
      await allowed;
      stored = await deps.messageFiles.store(owner, files);
    }
    const sent = await send(requestId, allowed);
    if (sent.kind !== 'request_id_used' || body.requestId !== undefined) return sent;
    // A correlation id may repeat; the id of an answer may not.
    requestId = deps.newId();
    return send(requestId, allowed);
  });
  const undo = () => deps.messageFiles.undo(owner, files, stored);
  const result = await admitted.catch(async (error: unknown) => {
    await undo();
    throw error;
  });
  if (result.kind !== 'started') await undo();
  if (result.kind === 'payment_required') throw paymentRequired(result.demand);
  if (result.kind !== 'started') throw refusal(result.kind);
  reply.header('x-run-id', result.runId);
  const isCallersOwn = request.headers['x-request-id'] === request.id;
  if (!isCallersOwn) reply.header('x-request-id', requestId);
  return { ...result, requestId };
}

function headerTimezone(request: FastifyRequest): string | undefined {
  const timezone = request.headers['x-timezone'];
  if (timezone === undefined || timezone === '') return undefined;
  if (typeof timezone === 'string' && isTimeZone(timezone)) return timezone;
  throw refusedField('headers', 'x-timezone', 'must be an IANA time zone name such as Africa/Nairobi');
}

function paymentRequired({ message, claims }: PaymentDemand): ServiceError {
  return new ServiceError('payment_required', message, {
    details: { claims, outstandingClaims: claims },
    limiter: 'credits',
  });
}

const tooManyWait = 'Too many of your messages are queued. Retry when some have been answered.';

function refusal(kind: Exclude<SendResult['kind'], 'started'>): ServiceError {
  switch (kind) {
    case 'no_session':
      return new ServiceError('not_found', 'Session not found');
    case 'request_id_used':
      return new ServiceError('conflict', 'This requestId was used in this session before');
    case 'queue_full':
      return new ServiceError('rate_limited', tooManyWait, { headers: { 'retry-after': '5' }, limiter: 'queue' });
    case 'busy':
      return new ServiceError('unavailable', 'Too many turns at once', {
        headers: { 'retry-after': '1' },
        limiter: 'turns_running',
      });
  }
}

/** The user message to replace, found by its id or by the id of its answer. @throws ServiceError if there is none */
export async function resolveBranchPoint(
  { conversations }: { readonly conversations: Pick<ConversationStore, 'findQuestion' | 'branchTips'> },
  ownerDid: string,
  sessionId: string,
  messageId: string,
): Promise<PlacedMessage> {
  const [found, tips] = await Promise.all([
    conversations.findQuestion(ownerDid, sessionId, messageId),
    conversations.branchTips(ownerDid, sessionId),
  ]);
  if (found === undefined) throw new ServiceError('not_found', 'Message not found');
  if (tips.length > mostBranches) {
    const message = `This conversation has ${mostBranches} branches, the maximum: start another conversation`;
    throw new ServiceError('conflict', message);
  }
  return found;
}

/** Request data that is used for its turn only. */
export const matrixHeaders = z.object({
  'x-matrix-access-token': z
    .string()
    .max(sendLimits.matrixTokenChars)
    .optional()
    .describe("Token of the user's Matrix session, used to read attachments; neither stored nor logged"),
  'x-matrix-homeserver': z
    .string()
    .max(sendLimits.homeServerChars)
    .optional()
    .describe("URL of the user's Matrix homeserver; the body's `homeServer` has priority"),
});

/** The body has priority over the header for the homeserver. Empty values count as missing. */
export function matrixSession({ headers }: FastifyRequest, named: string | undefined): MatrixSession | undefined {
  const sent = (name: string) => [headers[name]].flat().find((value) => value !== undefined && value !== '');
  const homeserver = named === '' || named === undefined ? sent('x-matrix-homeserver') : named;
  const accessToken = sent('x-matrix-access-token');
  if (homeserver === undefined && accessToken === undefined) return undefined;
  return { homeserver, accessToken };
}
