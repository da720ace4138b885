import { messagePage, messagePageQuery } from '@mlango/schemas/oracle-messages';
import { sessionPath } from '@mlango/schemas/oracle-sessions';
import { admit } from '@mlango/service-kit/async';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { rightsOf } from '../../identity/route-rights.js';
import type { SharedPools } from '../../shared-pools.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import { errorReplies } from './error-replies.js';
import { messageReply } from './message-reply.js';
import { refusedField } from './refused-field.js';

interface MessagePageDeps {
  readonly conversations: ConversationStore;
  readonly pools: Pick<SharedPools, 'history'>;
}

/** `GET /sessions/:sessionId/messages`: a conversation, some turns at a time. */
export function messagePageRoutes(app: HttpApp, deps: MessagePageDeps): void {
  app.get(
    '/sessions/:sessionId/messages',
    {
      config: rightsOf('GET /sessions/:sessionId/messages'),
      schema: {
        tags: ['messages'],
        summary: 'A page of the messages of a session',
        description:
          'The newest turns, or those beyond a cursor of another page: as many as asked for, or fewer where they are long. A turn is a message of the user with what answered ' +
          "it, and is never split. A session that is not the caller's has no turns.",
        params: sessionPath,
        querystring: messagePageQuery,
        response: { 200: messagePage, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { params, query } = request;
      const { did } = callerOf(request);
      const permit = await admit(deps.pools.history, { user: did, address: addressKey(request.ip) });
      const [page, siblings] = await Promise.all([
        deps.conversations.pageOfTurns(did, params.sessionId, query),
        deps.conversations.siblings(did, params.sessionId),
      ]).finally(() => permit.release());
      if (page === 'unknown_cursor')
        throw refusedField('querystring', query.before === undefined ? 'after' : 'before', 'unknown cursor');
      const { messages, olderCursor = null, newerCursor = null } = page;
      return {
        messages: messages.map((message) => messageReply(message, siblings)),
        prevCursor: olderCursor,
        nextCursor: newerCursor,
        hasOlder: olderCursor !== null,
        hasNewer: newerCursor !== null,
      };
    },
  );
}
