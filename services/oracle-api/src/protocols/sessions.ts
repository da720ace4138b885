import { ServiceError } from '@mlango/service-kit/errors';
import type { FastifyReply } from 'fastify';
import { titleFrom } from '../agent/title.js';
import type { TurnOutcome } from '../agent/turn-state.js';
import type { Turns } from '../agent/turns.js';
import type { SessionNames } from '../store/session-names.js';
import type { ConversationStore, NewSession, StoredSession } from '../store/sessions.js';

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

interface PassingParts extends SessionParts {
  readonly conversations: Pick<ConversationStore, 'createSessionUpTo' | 'changeSession'>;
  readonly turns: Pick<Turns, 'deleteSession' | 'stop'>;
  readonly logger: { error(fields: object, text: string): void };
}

/** What became of a reply: `hung_up` where its client closed the connection before all of it was written. */
export type ReplyEnd = 'sent' | 'hung_up';

/** Resolves when a reply is over. */
export function replyEnd({ raw }: FastifyReply): Promise<ReplyEnd> {
  return new Promise((resolve) => {
    const end = () => resolve(raw.writableFinished ? 'sent' : 'hung_up');
    if (raw.closed) end();
    else raw.once('close', end);
  });
}

/** A session of a program: archived, and with a title, so that no model writes one. */
export function archivedSession(now: Date, message = ''): Pick<NewSession, 'title' | 'archivedAt'> {
  return { title: titleFrom(message) ?? 'Asked by a program', archivedAt: now };
}

/**
 * Sessions of requests that bring their whole conversation and leave nothing behind: there while the turn runs, since a turn is
 * always one of a session, out of the list, and deleted after it. One whose turn waits for its user stays, in the list, for
 * there the answer will be.
 */
export class TemporarySessions {
  readonly #parts: PassingParts;
  readonly #leaving = new Set<Promise<void>>();

  constructor(parts: PassingParts) {
    this.#parts = parts;
  }

  /**
   * Starts a turn in a session that is let go once the turn is over and its answer was read, or at once where it cannot be started.
   * @param left says what became of the reply: `hung_up` stops the turn, since nothing else will read its answer
   * @throws ServiceError for a user who has as many sessions as one may have.
   */
  async start<Turn extends { readonly finished: Promise<TurnOutcome> }>(
    ownerDid: string,
    left: Promise<ReplyEnd>,
    start: (sessionId: string) => Promise<Turn>,
  ): Promise<Turn> {
    const given = { ...archivedSession(this.#parts.now()), isReplaceable: true };
    const { sessionId } = await openSession(this.#parts, ownerDid, given);
    try {
      const turn = await start(sessionId);
      this.#letGo(ownerDid, sessionId, turn.finished, left);
      return turn;
    } catch (error) {
      this.#letGo(ownerDid, sessionId, Promise.resolve(undefined), Promise.resolve('sent'));
      throw error;
    }
  }

  #letGo(ownerDid: string, sessionId: string, turn: Promise<TurnOutcome | undefined>, left: Promise<ReplyEnd>): void {
    const leaving = this.#leave(ownerDid, sessionId, turn, left)
      .catch((err: unknown) => this.#parts.logger.error({ err, sessionId }, 'session of one request not deleted'))
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  async #leave(ownerDid: string, sessionId: string, turn: Promise<TurnOutcome | undefined>, left: Promise<ReplyEnd>) {
    const { conversations, turns } = this.#parts;
    const first = await Promise.race([turn, left]);
    if (first === 'hung_up') await turns.stop(ownerDid, sessionId, 'aborted');
    const outcome = await turn;
    await left;
    if (outcome?.status === 'waiting') await conversations.changeSession(ownerDid, sessionId, { archivedAt: null });
    else await turns.deleteSession(ownerDid, sessionId);
  }

  /** Resolves when all that are to be let go are gone. */
  async drained(): Promise<void> {
    await Promise.all(this.#leaving);
  }
}
