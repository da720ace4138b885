import {
  changeSessionBody,
  createSessionBody,
  type SessionRecord,
  sessionDeleted,
  sessionList,
  sessionListQuery,
  sessionPath,
  sessionRecord,
  sessionSearchPage,
  sessionSearchQuery,
} from '@mlango/schemas/oracle-sessions';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { admit } from '@mlango/service-kit/shared-pools';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { untitled } from '../agent/title.js';
import type { Turns } from '../agent/turns.js';
import type { OracleIdentity } from '../identity/oracle-identity.js';
import { rightsOf } from '../identity/route-rights.js';
import type { SharedPools } from '../shared-pools.js';
import type { Realtime } from '../sockets/realtime.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { MessageSearch } from '../store/search.js';

import type { StoredSession } from '../store/sessions.js';
import { errorReplies, refusedField } from './errors.js';

export interface SessionRoutesDeps {
  readonly conversations: ConversationStore;
  readonly turns: Turns;
  readonly realtime: Pick<Realtime, 'closeSession'>;
  readonly oracle: OracleIdentity;
  /** Maximum number of sessions per user. */
  readonly sessionsPerUser: number;
  readonly now: () => Date;
  readonly newId: () => string;
}

const tags = ['sessions'];

/** `/sessions`: sessions of the caller. */
export function sessionRoutes(app: HttpApp, deps: SessionRoutesDeps): void {
  app.post(
    '/sessions',
    {
      config: { ...rightsOf('POST /sessions'), stores: 'sessions' },
      schema: {
        tags,
        operationId: 'createSession',
        summary: 'Create a session',
        description: 'The body is optional, also with the content type application/json.',
        body: withExample(createSessionBody, {}),
        response: { 201: sessionRecord, ...errorReplies(400, 401, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const roomId = request.body?.roomId;
      const most = deps.sessionsPerUser;
      const session = await deps.conversations.createSessionUpTo(most, callerOf(request).did, {
        sessionId: deps.newId(),
        createdAt: deps.now(),
        ...(roomId === undefined ? {} : { roomId }),
      });
      if (session === 'full') {
        const message = `You have ${most} sessions, the maximum for one user: delete one to create another`;
        throw new ServiceError('conflict', message);
      }
      return reply.code(201).send(sessionReply(session, deps.oracle));
    },
  );

  app.get(
    '/sessions',
    {
      config: rightsOf('GET /sessions'),
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List the sessions of the caller, latest activity first',
        description: 'Either without archived sessions, or archived sessions only.',
        querystring: sessionListQuery,
        response: { 200: sessionList, ...errorReplies(401) },
      },
    },
    async (request) => {
      const { sessions, total } = await deps.conversations.listSessions(callerOf(request).did, request.query);
      return { sessions: sessions.map((session) => sessionReply(session, deps.oracle)), total };
    },
  );

  app.patch(
    '/sessions/:sessionId',
    {
      config: { ...rightsOf('PATCH /sessions/:sessionId'), stores: 'sessions' },
      schema: {
        tags,
        operationId: 'updateSession',
        summary: 'Rename, archive or unarchive a session',
        description: 'An archived session is not in the default list. It can still be read, searched and continued.',
        params: sessionPath,
        body: withExample(changeSessionBody, { title: 'Tea' }),
        response: { 200: sessionRecord, ...errorReplies(400, 401, 404, 413, 415) },
      },
    },
    async (request) => {
      const { title, archived } = request.body;
      const archivedAt = archived === undefined ? undefined : archived ? deps.now() : null;
      const { did } = callerOf(request);
      const session = await deps.conversations.changeSession(did, request.params.sessionId, { title, archivedAt });
      if (session === undefined) throw new ServiceError('not_found', 'Session not found');
      return sessionReply(session, deps.oracle);
    },
  );

  app.delete(
    '/sessions/:sessionId',
    {
      config: rightsOf('DELETE /sessions/:sessionId'),
      schema: {
        tags,
        operationId: 'deleteSession',
        summary: 'Delete a session with its messages and runs',
        params: sessionPath,
        response: { 200: sessionDeleted, ...errorReplies(400, 401, 404, 413, 415) },
      },
    },
    async (request) => {
      const { did } = callerOf(request);
      const { sessionId } = request.params;
      const isDeleted = await deps.turns.deleteSession(did, sessionId);
      if (!isDeleted) throw new ServiceError('not_found', 'Session not found');
      await deps.realtime.closeSession({ ownerDid: did, sessionId });
      return { message: 'Session deleted successfully' as const };
    },
  );
}

/** A session in a reply. */
function sessionReply(session: StoredSession, oracle: OracleIdentity): SessionRecord {
  return {
    sessionId: session.sessionId,
    title: session.title ?? untitled,
    createdAt: session.createdAt.toISOString(),
    lastUpdatedAt: session.lastUpdatedAt.toISOString(),
    oracleName: oracle.name,
    oracleDid: oracle.did,
    oracleEntityDid: oracle.entityDid,
    roomId: session.roomId,
    archivedAt: session.archivedAt?.toISOString(),
  };
}

interface SearchDeps {
  readonly search: MessageSearch;
  readonly pools: Pick<SharedPools, 'searches'>;
}

/** `GET /sessions/search`: searches the text of the caller's messages. One search per user runs at a time; some wait. */
export function sessionSearchRoutes(app: HttpApp, { search, pools }: SearchDeps): void {
  app.get(
    '/sessions/search',
    {
      config: rightsOf('GET /sessions/search'),
      schema: {
        tags: ['sessions'],
        operationId: 'searchMessages',
        summary: 'Search the messages of all sessions',
        description: 'Finds messages with all words in all sessions of the caller, archived or not. Newest first.',
        querystring: sessionSearchQuery,
        response: { 200: sessionSearchPage, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { q, limit, cursor } = request.query;
      const before = cursor === undefined ? undefined : positionOf(cursor);
      if (Number.isNaN(before)) throw refusedField('querystring', 'cursor', 'unknown cursor');
      // One row more than the page shows whether there are more.
      const user = callerOf(request).did;
      const permit = await admit(pools.searches, { user, address: addressKey(request.ip) });
      const found = await search.search(user, q, { limit: limit + 1, before }).finally(() => permit.release());
      const last = found.length > limit ? found[limit - 1] : undefined;
      return {
        results: found.slice(0, limit).map(({ position: _position, title = untitled, createdAt, ...message }) => ({
          ...message,
          title,
          createdAt: createdAt.toISOString(),
        })),
        nextCursor: last === undefined ? null : cursorOf(last.position),
      };
    },
  );
}

const prefix = 'p1.';

/** Encodes a position as an opaque cursor. */
function cursorOf(position: number): string {
  return Buffer.from(`${prefix}${position}`).toString('base64url');
}

/** NaN for an invalid cursor. */
function positionOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = Number(text.slice(prefix.length));
  return Number.isSafeInteger(position) && cursorOf(position) === cursor ? position : Number.NaN;
}
