import { sessionSearchPage, sessionSearchQuery } from '@mlango/schemas/oracle-sessions';
import { admit } from '@mlango/service-kit/async';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { untitled } from '../agent/after/title.js';
import { rightsOf } from '../identity/route-rights.js';
import type { SharedPools } from '../shared-pools.js';
import type { MessageSearch } from '../store/message-search.js';
import { errorReplies } from './error-replies.js';
import { refusedField } from './refused-field.js';

interface SearchDeps {
  readonly search: MessageSearch;
  readonly pools: Pick<SharedPools, 'searches'>;
}

/** `GET /sessions/search`: the caller's messages, by their words. One search of a user runs at a time; some wait. */
export function sessionSearchRoutes(app: HttpApp, { search, pools }: SearchDeps): void {
  app.get(
    '/sessions/search',
    {
      config: rightsOf('GET /sessions/search'),
      schema: {
        tags: ['sessions'],
        operationId: 'searchMessages',
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
