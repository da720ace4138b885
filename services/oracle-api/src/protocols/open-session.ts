import { ServiceError } from '@mlango/service-kit/errors';
import type { Turns } from '../agent/lifecycle/turns.js';
import type { ConversationStore, NewSession, StoredSession } from '../store/conversation-store.js';
import type { SessionNames } from '../store/session-names.js';

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
  given: Partial<NewSession> = {},
): Promise<StoredSession> {
  const session = { sessionId: newId(), createdAt: now(), ...given };
  const opened = await conversations.createSessionUpTo(sessionsPerUser, ownerDid, session);
  if (opened !== 'full') return opened;
  throw new ServiceError('conflict', `You have ${sessionsPerUser} sessions, and one user may have no more`);
}

/**
 * The id of the session that a client names in `field`, which is opened where the user has none.
 * @throws ServiceError for a user who has as many sessions as one may have, and for a reserved name.
 */
export function openNamedSession(
  parts: SessionParts & { readonly sessionNames: SessionNames },
  ownerDid: string,
  name: string,
  field: string,
): Promise<string> {
  return parts.sessionNames.open(ownerDid, name, field, (sessionId) => openSession(parts, ownerDid, { sessionId }));
}

/** The same for a name of which `SessionNames.find` has found none. */
export function openNewNamedSession(
  parts: SessionParts & { readonly sessionNames: SessionNames },
  ownerDid: string,
  name: string,
  field: string,
): Promise<string> {
  return parts.sessionNames.openNew(ownerDid, name, field, (sessionId) => openSession(parts, ownerDid, { sessionId }));
}

/**
 * Begins something in a session of its own, which is replaceable, and deleted where that rejects.
 *
 * @param given more of the session
 * @throws ServiceError for a user who has as many sessions as one may have.
 */
export async function inNewSession<Begun>(
  parts: SessionParts & { readonly turns: Pick<Turns, 'deleteSession'> },
  ownerDid: string,
  begin: (sessionId: string) => Promise<Begun>,
  given: Partial<NewSession> = {},
): Promise<Begun> {
  const { sessionId } = await openSession(parts, ownerDid, { isReplaceable: true, ...given });
  try {
    return await begin(sessionId);
  } catch (error) {
    await parts.turns.deleteSession(ownerDid, sessionId);
    throw error;
  }
}
