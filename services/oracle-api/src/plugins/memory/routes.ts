import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import { memoryForgotten, memoryList, memoryListQuery, memoryPath } from '@mlango/schemas/oracle-memories';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { RecallStore } from '../../store/recall-store.js';

/** `/memories`: what the oracle remembers of the caller, for the caller to see and to delete. */
export function memoryRoutes(app: HttpApp, memories: RecallStore): void {
  app.get(
    '/memories',
    {
      schema: {
        summary: 'What is remembered of the user, newest first',
        description: 'With `query` only what holds any of its words, best matches first.',
        querystring: memoryListQuery,
        response: { 200: memoryList, 400: invalidRequest },
      },
    },
    async (request) => {
      const { did } = callerOf(request);
      const { query, limit, offset } = request.query;
      const found =
        query === undefined
          ? await memories.list(did, { limit, offset })
          : await memories.search(did, query, limit).then((all) => ({ memories: all, total: all.length }));
      const records = found.memories.map(({ memoryId, createdAt, ...memory }) => ({
        id: memoryId,
        ...memory,
        createdAt: createdAt.toISOString(),
      }));
      return { memories: records, total: found.total };
    },
  );

  app.delete(
    '/memories/:id',
    {
      schema: {
        summary: 'Forget one thing',
        params: memoryPath,
        response: { 200: memoryForgotten, 404: jsonError },
      },
    },
    async (request) => {
      const isForgotten = await memories.remove(callerOf(request).did, request.params.id);
      if (!isForgotten) throw new ServiceError('not_found', 'Memory not found');
      return { message: 'Memory deleted successfully' as const };
    },
  );
}
