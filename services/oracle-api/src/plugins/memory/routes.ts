import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import {
  memoryForgotten,
  memoryList,
  memoryListQuery,
  memoryNew,
  memoryPath,
  memoryRecord,
} from '@mlango/schemas/oracle-memories';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { addressKey } from '@mlango/service-kit/shared-pools';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { rightsOf } from '../../identity/route-rights.js';
import { limitedSearch, memoryLimit, recalled } from './recall-store.js';
import type { MemoryBoot } from './tables.js';

/** `/memories`: the caller's memories, to list, add and delete. */
export function memoryRoutes(app: HttpApp, { own: memories, now, newId, openPool }: MemoryBoot): void {
  const search = limitedSearch({ own: memories, openPool });

  app.get(
    '/memories',
    {
      config: rightsOf('GET /memories'),
      schema: {
        operationId: 'listMemories',
        summary: 'List the memories of the caller, newest first',
        description: 'With `query`, only memories with any of its words, best matches first.',
        querystring: memoryListQuery,
        response: { 200: memoryList, 400: invalidRequest },
      },
    },
    async (request) => {
      const { did } = callerOf(request);
      const { query, limit, offset } = request.query;
      if (query === undefined) {
        const { memories: listed, total } = await memories.list(did, { limit, offset });
        return { memories: listed.map(recalled), total };
      }
      const found = await search({ did, address: addressKey(request.ip) }, query, limit);
      return { memories: found.map(recalled), total: found.length };
    },
  );

  app.post(
    '/memories',
    {
      config: { ...rightsOf('POST /memories'), stores: 'memories' },
      schema: {
        operationId: 'createMemory',
        summary: 'Store a memory',
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
        operationId: 'deleteMemory',
        summary: 'Delete a memory',
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
