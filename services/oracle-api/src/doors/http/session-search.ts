import { sessionSearchPage, sessionSearchQuery } from '@mlango/schemas/oracle-sessions';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { MessageSearch } from '../../store/message-search.js';
import { untitled } from '../../turns/after/title.js';
import { errorReplies } from './error-replies.js';
import { refusedField } from './refused-field.js';

/** `GET /sessions/search`: the caller's messages, by their words. */
export function sessionSearchRoutes(app: HttpApp, { search }: { readonly search: MessageSearch }): void {
  app.get(
    '/sessions/search',
    {
      config: { keyScopes: ['read'] },
      schema: {
        tags: ['sessions'],
        summary: 'Search the messages of all sessions',
        description: 'Of the caller’s own sessions, archived or not: messages that have all words, the newest first.',
        querystring: sessionSearchQuery,
        response: { 200: sessionSearchPage, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { q, limit, cursor } = request.query;
      const before = cursor === undefined ? undefined : placeOf(cursor);
      if (Number.isNaN(before)) throw refusedField('querystring', 'cursor', 'unknown cursor');
      // One more than are shown says whether there are more.
      const found = await search.search(callerOf(request).did, q, { limit: limit + 1, before });
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

/** Names a place to a client that shall not read anything into it. */
function cursorOf(position: number): string {
  return Buffer.from(`${prefix}${position}`).toString('base64url');
}

/** NaN for text that never was a cursor. */
function placeOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = Number(text.slice(prefix.length));
  return Number.isSafeInteger(position) && cursorOf(position) === cursor ? position : Number.NaN;
}
