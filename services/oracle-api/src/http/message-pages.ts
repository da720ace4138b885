import { messagePage, messagePageQuery } from '@mlango/schemas/oracle-messages';
import { sessionPath } from '@mlango/schemas/oracle-sessions';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { rightsOf } from '../identity/route-rights.js';
import { errorReplies } from './error-replies.js';
import { type HistoryDeps, readTurns } from './message-reply.js';
import { refusedField } from './refused-field.js';

/** `GET /sessions/:sessionId/messages`: a conversation, some turns at a time. */
export function messagePageRoutes(app: HttpApp, deps: HistoryDeps): void {
  app.get(
    '/sessions/:sessionId/messages',
    {
      config: rightsOf('GET /sessions/:sessionId/messages'),
      schema: {
        tags: ['messages'],
        operationId: 'listSessionMessages',
        summary: 'List a page of the messages of a session',
        description:
          'The newest turns, or those beyond a cursor of another page: as many as asked for, or fewer where they are long. A turn is a message of the user with what answered ' +
          "it, and is never split. A session that is not the caller's has no turns.",
        params: sessionPath,
        querystring: messagePageQuery,
        response: { 200: messagePage, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { query } = request;
      const page = await readTurns(deps, request, { sessionId: request.params.sessionId, range: query });
      if (page === 'unknown_cursor')
        throw refusedField('querystring', query.before === undefined ? 'after' : 'before', 'unknown cursor');
      const { messages, olderCursor = null, newerCursor = null } = page;
      return {
        messages,
        prevCursor: olderCursor,
        nextCursor: newerCursor,
        hasOlder: olderCursor !== null,
        hasNewer: newerCursor !== null,
      };
    },
  );
}
