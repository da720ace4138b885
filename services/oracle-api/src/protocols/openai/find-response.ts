import { ServiceError } from '@mlango/service-kit/errors';
import type { ModelCatalog } from '../../models/model-catalog.js';
import { isLive, type RunRegister } from '../../runs/run-register.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import { placeIn } from './response-id.js';
import type { KnownAnswer, ResponseHead } from './response-object.js';

interface FindParts {
  readonly conversations: Pick<ConversationStore, 'findMessage'>;
  readonly register: Pick<RunRegister, 'findLatest'>;
  readonly models: ModelCatalog;
}

interface Found {
  readonly head: ResponseHead;
  readonly runId: string;
  /** Undefined while it is being written. */
  readonly answer: KnownAnswer | undefined;
}

/** @throws ServiceError for a response that this user has not. */
export async function findResponse(parts: FindParts, ownerDid: string, responseId: string): Promise<Found> {
  const place = placeIn(responseId);
  const found = place && (await lookUp(parts, ownerDid, place.sessionId, place.requestId));
  if (found !== undefined) return found;
  throw new ServiceError('not_found', `Response with id '${responseId.slice(0, 200)}' not found.`);
}

async function lookUp(
  { conversations, register, models }: FindParts,
  ownerDid: string,
  sessionId: string,
  requestId: string,
): Promise<Found | undefined> {
  const latest = await register.findLatest(ownerDid, sessionId);
  const head = { sessionId, requestId, model: models.default.id, isKept: true };
  const run = latest?.requestId === requestId ? latest : undefined;
  if (run !== undefined && isLive(run.status)) {
    return { head: { ...head, createdAt: secondsOf(run.createdAt) }, runId: run.runId, answer: undefined };
  }
  const message = await conversations.findMessage(ownerDid, sessionId, requestId);
  if (message?.type === 'ai') {
    return { head: { ...head, createdAt: secondsOf(message.createdAt) }, runId: message.turnId, answer: message };
  }
  // It ended before it said anything.
  if (run === undefined || run.status === 'queued' || run.status === 'running' || run.status === 'recovering')
    return undefined;
  const answer = { content: '', status: run.status };
  return { head: { ...head, createdAt: secondsOf(run.createdAt) }, runId: run.runId, answer };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
