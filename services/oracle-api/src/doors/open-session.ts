import { ServiceError } from '@mlango/service-kit/errors';
import type { ConversationStore, StoredSession } from '../store/conversation-store.js';

export interface SessionParts {
  readonly conversations: Pick<ConversationStore, 'createSessionUpTo'>;
  readonly sessionsPerUser: number;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** @throws ServiceError for a user who has as many sessions as one may have. */
export async function openSession(
  { conversations, sessionsPerUser, now, newId }: SessionParts,
  ownerDid: string,
): Promise<StoredSession> {
  const session = { sessionId: newId(), createdAt: now() };
  const opened = await conversations.createSessionUpTo(sessionsPerUser, ownerDid, session);
  if (opened !== 'full') return opened;
  throw new ServiceError('conflict', `You have ${sessionsPerUser} sessions, and one user may have no more`);
}
