import { memoryNew } from '@mlango/schemas/oracle-memories';
import { ServiceError } from '@mlango/service-kit/errors';
import { z } from 'zod';
import type { PluginResource } from '../api/plugin.js';
import { defineTool, ToolError } from '../api/plugin-tool.js';
import { type LimitedSearch, limitedSearch, memoryLimit, recalled } from './recall-store.js';
import type { MemoryBoot } from './tables.js';

/** The tool that stores a memory of the user. */
export function remember({ own: memories, now, newId }: Pick<MemoryBoot, 'own' | 'now' | 'newId'>) {
  return defineTool({
    name: 'remember',
    description:
      'Keeps something for the user, in all conversations: a fact about them, or an artifact that was made for them. ' +
      'How they want to be talked to does not belong here.',
    effects: 'inside',
    isOffered: true,
    inputSchema: memoryNew,
    async execute({ content, kind, title }, { user }) {
      const memory = { memoryId: newId(), kind, content, createdAt: now(), ...(title === undefined ? {} : { title }) };
      const added = await memories.add(user.did, memory);
      if (added === 'full')
        throw new ToolError(`There are ${memoryLimit} memories already. Something must be forgotten first.`);
      return { id: memory.memoryId, remembered: content };
    },
  });
}

/** The tool that searches the user's memories. */
export function recall(boot: Pick<MemoryBoot, 'own' | 'openPool'>) {
  const { own: memories } = boot;
  const search = searchOfTools(boot);
  return defineTool({
    name: 'recall',
    description: 'Looks for what the user wanted remembered: by words, or the newest of all without any.',
    effects: 'none',
    isOffered: true,
    inputSchema: z.object({
      query: z.string().trim().max(500).default('').describe('any words of the memory'),
      limit: z.int().min(1).max(20).default(5),
    }),
    async execute({ query, limit }, { user }) {
      const found =
        query === ''
          ? (await memories.list(user.did, { limit, offset: 0 })).memories
          : await search(user, query, limit);
      return found.map(recalled);
    },
  });
}

const named = z.object({
  id: z.string().min(1).max(128).optional().describe('id from recall'),
  query: z.string().trim().min(1).max(500).optional().describe('instead of an id: words of the memory'),
});

/** The tool that deletes one memory: by its id, or the best match of a search. */
export function forget(boot: Pick<MemoryBoot, 'own' | 'openPool'>) {
  const { own: memories } = boot;
  const search = searchOfTools(boot);
  return defineTool({
    name: 'forget',
    description: 'Forgets one thing that the user wanted remembered.',
    effects: 'inside',
    isOffered: true,
    inputSchema: named,
    async execute({ id, query }, { user }) {
      if (id !== undefined) {
        if (!(await memories.remove(user.did, id))) throw new ToolError('There is no memory of that id.');
        return { forgotten: id };
      }
      if (query === undefined) throw new ToolError('Give the id of a memory, or words that it holds.');
      const [found] = await search(user, query, 1);
      if (found === undefined) throw new ToolError('Nothing like that is remembered.');
      await memories.remove(user.did, found.memoryId);
      return { forgotten: found.content };
    },
  });
}

/** The search of memories; the model receives the reason of a refusal. */
function searchOfTools(boot: Pick<MemoryBoot, 'own' | 'openPool'>): LimitedSearch {
  const search = limitedSearch(boot);
  return (user, query, limit) =>
    search(user, query, limit).catch((error: unknown) => {
      throw error instanceof ServiceError ? new ToolError(error.message, { cause: error }) : error;
    });
}

/** Memories, each at `memory:<id>`. */
export function memoryResource({ own: memories }: Pick<MemoryBoot, 'own'>): PluginResource {
  return {
    uriPrefix: 'memory:',
    name: 'memory',
    description: 'Something that the user wanted remembered.',
    async list(ownerDid, page) {
      const listed = await memories.list(ownerDid, page);
      return listed.memories.map(({ memoryId, title, content }) => ({ id: memoryId, title: title ?? content }));
    },
    async read(ownerDid, id) {
      const memory = await memories.find(ownerDid, id);
      return memory && recalled(memory);
    },
  };
}
