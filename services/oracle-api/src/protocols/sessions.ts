import { ServiceError } from '@mlango/service-kit/errors';
import { whenReplyClosed } from '@mlango/service-kit/http-app';
import type { FastifyReply } from 'fastify';
import { titleFrom } from '../agent/title.js';
import type { TurnOutcome } from '../agent/turn.js';
import type { Turns } from '../agent/turns.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { SessionNames } from '../store/session-names.js';
import type { NewSession, StoredSession } from '../store/sessions.js';

export interface SessionParts {
  readonly conversations: Pick<ConversationStore, 'createSessionUpTo'>;
  readonly sessionsPerUser: number;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** @throws ServiceError if the user has the maximum number of sessions */
export async function openSession(
  { conversations, sessionsPerUser, now, newId }: SessionParts,
  ownerDid: string,
  fields: Partial<NewSession> = {},
): Promise<StoredSession> {
  const session = { sessionId: newId(), createdAt: now(), ...fields };
  const opened = await conversations.createSessionUpTo(sessionsPerUser, ownerDid, session);
  if (opened !== 'full') return opened;
  throw new ServiceError('conflict', `You have ${sessionsPerUser} sessions, the maximum for one user`);
}

/**
 * The id of the session that a client names in `field`; creates a missing one.
 * @throws ServiceError if the user has the maximum number of sessions, and for a reserved name
 */
export function openNamedSession(
  parts: SessionParts & { readonly sessionNames: SessionNames },
  ownerDid: string,
  name: string,
  field: string,
): Promise<string> {
  return parts.sessionNames.open(ownerDid, name, field, (sessionId) => openSession(parts, ownerDid, { sessionId }));
}

/** Like `openNamedSession`, for a name that `SessionNames.find` has not found. */
export function openNewNamedSession(
  parts: SessionParts & { readonly sessionNames: SessionNames },
  ownerDid: string,
  name: string,
  field: string,
): Promise<string> {
  return parts.sessionNames.openNew(ownerDid, name, field, (sessionId) => openSession(parts, ownerDid, { sessionId }));
}

/**
 * Runs `begin` in a new, replaceable session, and deletes the session if that rejects.
 *
 * @param fields further fields of the session
 * @throws ServiceError if the user has the maximum number of sessions
 */
export async function inNewSession<Begun>(
  parts: SessionParts & { readonly turns: Pick<Turns, 'deleteSession'> },
  ownerDid: string,
  begin: (sessionId: string) => Promise<Begun>,
  fields: Partial<NewSession> = {},
): Promise<Begun> {
  const { sessionId } = await openSession(parts, ownerDid, { isReplaceable: true, ...fields });
  try {
    return await begin(sessionId);
  } catch (error) {
    await parts.turns.deleteSession(ownerDid, sessionId);
    throw error;
  }
}

interface PassingParts extends SessionParts {
  readonly conversations: Pick<ConversationStore, 'createSessionUpTo' | 'changeSession'>;
  readonly turns: Pick<Turns, 'deleteSession' | 'stop'>;
  readonly logger: { error(fields: object, text: string): void };
}

/** End of a reply; `hung_up`: the client closed the connection before everything was written. */
export type ReplyEnd = 'sent' | 'hung_up';

/** Resolves when a reply has ended. */
export function replyEnd({ raw }: FastifyReply): Promise<ReplyEnd> {
  return new Promise((resolve) => {
    whenReplyClosed(raw, () => resolve(raw.writableFinished ? 'sent' : 'hung_up'));
  });
}

/** A session of a program: archived and titled, so that no model writes a title. */
export function archivedSession(now: Date, message = ''): Pick<NewSession, 'title' | 'archivedAt'> {
  return { title: titleFrom(message) ?? 'Asked by a program', archivedAt: now };
}

/**
 * Sessions of requests that contain their whole conversation and store nothing. A session exists while its turn runs, archived, and
 * is then deleted. If the turn is suspended for approval, the session stays and is listed, because its answer follows there.
 */
export class TemporarySessions {
  readonly #parts: PassingParts;
  readonly #deleting = new Set<Promise<void>>();

  constructor(parts: PassingParts) {
    this.#parts = parts;
  }

  /**
   * Starts a turn in a session that is deleted after the turn has ended and its answer was read, or if the start fails.
   * @param left end of the reply; `hung_up` stops the turn, because its answer has no other reader
   * @throws ServiceError if the user has the maximum number of sessions
   */
  async start<Turn extends { readonly finished: Promise<TurnOutcome> }>(
    ownerDid: string,
    left: Promise<ReplyEnd>,
    start: (sessionId: string) => Promise<Turn>,
  ): Promise<Turn> {
    const fields = { ...archivedSession(this.#parts.now()), isReplaceable: true };
    const { sessionId } = await openSession(this.#parts, ownerDid, fields);
    try {
      const turn = await start(sessionId);
      this.#deleteAfter(ownerDid, sessionId, turn.finished, left);
      return turn;
    } catch (error) {
      this.#deleteAfter(ownerDid, sessionId, Promise.resolve(undefined), Promise.resolve('sent'));
      throw error;
    }
  }

  #deleteAfter(
    ownerDid: string,
    sessionId: string,
    turn: Promise<TurnOutcome | undefined>,
    left: Promise<ReplyEnd>,
  ): void {
    const deleting = this.#deleteWhenRead(ownerDid, sessionId, turn, left)
      .catch((err: unknown) => this.#parts.logger.error({ err, sessionId }, 'temporary session not deleted'))
      .finally(() => this.#deleting.delete(deleting));
    this.#deleting.add(deleting);
  }

  async #deleteWhenRead(
    ownerDid: string,
    sessionId: string,
    turn: Promise<TurnOutcome | undefined>,
    left: Promise<ReplyEnd>,
  ) {
    const { conversations, turns } = this.#parts;
    const first = await Promise.race([turn, left]);
    if (first === 'hung_up') await turns.stop(ownerDid, sessionId, 'aborted');
    const outcome = await turn;
    await left;
    if (outcome?.status === 'waiting') await conversations.changeSession(ownerDid, sessionId, { archivedAt: null });
    else await turns.deleteSession(ownerDid, sessionId);
  }

  /** Resolves when all pending deletions are done. */
  async drained(): Promise<void> {
    await Promise.all(this.#deleting);
  }
}
