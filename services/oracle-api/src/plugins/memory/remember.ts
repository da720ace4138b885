import { memoryNew } from '@mlango/schemas/oracle-memories';
import { defineTool, ToolError } from '../../plugin-kit/plugin-tool.js';
import { memoryLimit } from './recall-store.js';
import type { MemoryBoot } from './tables.js';

/** The tool that keeps something for the user. */
export function remember({ own: memories, now, newId }: Pick<MemoryBoot, 'own' | 'now' | 'newId'>) {
  return defineTool({
    name: 'remember',
    description:
      'Keeps something for the user, in all conversations: a fact about them, or an artifact that was made for them. ' +
      'How they want to be talked to does not belong here.',
    effects: 'inside',
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
