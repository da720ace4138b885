import { ServiceError } from '@mlango/service-kit/errors';
import type { ConversationStore, StoredSession } from '../store/conversation-store.js';
import type { Turns } from '../turns/lifecycle/turns.js';

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
  sessionId = newId(),
): Promise<StoredSession> {
  const session = { sessionId, createdAt: now() };
  const opened = await conversations.createSessionUpTo(sessionsPerUser, ownerDid, session);
  if (opened !== 'full') return opened;
  throw new ServiceError('conflict', `You have ${sessionsPerUser} sessions, and one user may have no more`);
}

/** The same where the client makes up the id. One that somebody else has is like any that cannot be had. */
export async function openNamedSession(
  parts: SessionParts & { readonly conversations: Pick<ConversationStore, 'findSession'> },
  ownerDid: string,
  sessionId: string,
): Promise<void> {
  const isThere = async () => (await parts.conversations.findSession(ownerDid, sessionId)) !== undefined;
  if (await isThere()) return;
  try {
    await openSession(parts, ownerDid, sessionId);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // Two messages at once may both want to open it.
    if (!(await isThere())) throw new ServiceError('not_found', 'Session not found', { cause: error });
  }
}

/**
 * Begins something in a session of its own, which is gone again where that rejects: what was opened for a request that is refused is
 * nobody's.
 * @throws ServiceError for a user who has as many sessions as one may have.
 */
export async function inNewSession<Begun>(
  parts: SessionParts & { readonly turns: Pick<Turns, 'deleteSession'> },
  ownerDid: string,
  begin: (sessionId: string) => Promise<Begun>,
): Promise<Begun> {
  const { sessionId } = await openSession(parts, ownerDid);
  try {
    return await begin(sessionId);
  } catch (error) {
    await parts.turns.deleteSession(ownerDid, sessionId);
    throw error;
  }
}
