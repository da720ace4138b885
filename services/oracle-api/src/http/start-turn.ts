import type { SendMessageBody } from '@mlango/schemas/oracle-send';
import { isTimeZone } from '@mlango/schemas/time-zone';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey } from '@mlango/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AdmissionParts, admit } from '../agent/lifecycle/admission.js';
import type { PaymentDemand } from '../agent/lifecycle/payment-gate.js';
import type { SendResult, TurnRequest } from '../agent/lifecycle/turn-request.js';
import type { Turns } from '../agent/lifecycle/turns.js';
import type { CheckedFiles, MessageFiles } from '../files/message-files.js';
import type { LanguageModel } from '../models/language-model.js';
import type { ModelCatalog } from '../models/model-catalog.js';
import { answerSchemaProblem } from '../plugins/host/foreign-schema.js';
import type { ConversationStore, StoredAttachment } from '../store/conversation-store.js';
import { matrixSession } from './matrix-session.js';
import { refusedField } from './refused-field.js';
import { mayHave, requireContent } from './take-api-keys.js';

export interface SendDeps extends AdmissionParts {
  readonly conversations: ConversationStore;
  readonly turns: Turns;
  readonly models: ModelCatalog;
  readonly newId: () => string;
  readonly messageFiles: Pick<MessageFiles, 'check' | 'store' | 'undo' | 'hold'>;
}

export type StartedTurn = Extract<SendResult, { kind: 'started' }> & { readonly requestId: string };

/** What a message brings by another door than our own. */
export interface FromDoor
  extends Pick<TurnRequest, 'handsOver' | 'callRules' | 'given' | 'filesFrom' | 'appWords' | 'instead'> {
  /** In the place of one of the models to choose from. */
  readonly answeredBy?: LanguageModel;
  /** Files of the message, which are stored once the message is admitted. */
  readonly files?: CheckedFiles;
}

/**
 * Starts the turn that a request asks for, and sets the headers that name it. Everything that can be refused is refused
 * here, before the reply has begun.
 */
export async function startTurn(
  deps: SendDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: SendMessageBody & { ownerDid: string; sessionId: string } & FromDoor,
): Promise<StartedTurn> {
  const model = body.answeredBy ?? deps.models.find(body.model);
  if (model === undefined) throw refusedField('body', 'model', 'no such model; GET /models lists them');
  const timezone = body.timezone ?? headerTimezone(request);
  const { ownerDid, sessionId, message, stream, attachments, tools, agActions, metadata, mcpInvocations } = body;
  const { handsOver, callRules, given, filesFrom, appWords, instead, responseSchema, files = [] } = body;
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
      handsOver,
      callRules,
      given,
      filesFrom,
      appWords,
      instead,
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
    // A correlation id may stand for several requests; the id of an answer may not.
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

const tooManyWait = 'Too many of your messages are waiting. Send this one again when some have been answered.';

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
