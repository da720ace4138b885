import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import {
  memoryForgotten,
  memoryList,
  memoryListQuery,
  memoryNew,
  memoryPath,
  memoryRecord,
} from '@mlango/schemas/oracle-memories';
import { addressKey, admit, type FairSemaphoreOptions } from '@mlango/service-kit/async';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { rightsOf } from '../../identity/route-rights.js';
import { memoryLimit } from './recall-store.js';
import { recalled } from './recalled.js';
import type { MemoryBoot } from './tables.js';

/** Searches rank all memories of a user, of whom one may have 20 MB: so one of a user runs at a time, and two of a process. */
const searchPool: FairSemaphoreOptions<'user' | 'address'> = {
  name: 'searches',
  total: 2,
  shares: { user: 1, address: 1 },
  waiting: { total: 40, perHolder: 4 },
};

/** `/memories`: what the oracle remembers of the caller, for the caller to see, to add to and to delete. */
export function memoryRoutes(app: HttpApp, { own: memories, now, newId, openPool }: MemoryBoot): void {
  const searches = openPool(searchPool);

  const search = async (user: string, address: string, query: string, limit: number) => {
    const permit = await admit(searches, { user, address });
    const found = await memories.search(user, query, limit).finally(() => permit.release());
    return { memories: found, total: found.length };
  };

  app.get(
    '/memories',
    {
      config: rightsOf('GET /memories'),
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
          : await search(did, addressKey(request.ip), query, limit);
      return { memories: found.memories.map(recalled), total: found.total };
    },
  );

  app.post(
    '/memories',
    {
      config: { ...rightsOf('POST /memories'), stores: 'memories' },
      schema: {
        summary: 'Remember something',
        body: withExample(memoryNew, { content: 'Likes tea.' }),
        response: { 201: memoryRecord, 400: invalidRequest, 409: jsonError, 413: jsonError, 415: jsonError },
      },
    },
    async (request, reply) => {
      const { title, ...body } = request.body;
      const memory = { memoryId: newId(), ...body, ...(title === undefined ? {} : { title }), createdAt: now() };
      const added = await memories.add(callerOf(request).did, memory);
      if (added === 'full')
        throw new ServiceError('conflict', `There are ${memoryLimit} memories already; delete one first`);
      return reply.code(201).send(recalled(memory));
    },
  );

  app.delete(
    '/memories/:id',
    {
      config: rightsOf('DELETE /memories/:id'),
      schema: {
        summary: 'Forget one thing',
        params: memoryPath,
        response: { 200: memoryForgotten, 400: invalidRequest, 404: jsonError },
      },
    },
    async (request) => {
      const isForgotten = await memories.remove(callerOf(request).did, request.params.id);
      if (!isForgotten) throw new ServiceError('not_found', 'Memory not found');
      return { message: 'Memory deleted successfully' as const };
    },
  );
}
