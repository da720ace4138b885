import type { PluginResource } from '../api/plugin.js';
import { recalled } from './recalled.js';
import type { MemoryBoot } from './tables.js';

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
