import { z } from 'zod';
import { defineTool, ToolError } from '../../plugin-kit/plugin-tool.js';
import type { MemoryBoot } from './tables.js';

const named = z.object({
  id: z.string().min(1).max(128).optional().describe('as recall gives it'),
  query: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe('instead of an id: the memory that these words fit best'),
});

/** The tool that forgets one thing: by its id, or what words fit best. */
export function forget({ own: memories }: Pick<MemoryBoot, 'own'>) {
  return defineTool({
    name: 'forget',
    description: 'Forgets one thing that the user wanted remembered.',
    effects: 'inside',
    inputSchema: named,
    async execute({ id, query }, { user }) {
      if (id !== undefined) {
        if (!(await memories.remove(user.did, id))) throw new ToolError('There is no memory of that id.');
        return { forgotten: id };
      }
      if (query === undefined) throw new ToolError('Give the id of a memory, or words that it holds.');
      const [found] = await memories.search(user.did, query, 1);
      if (found === undefined) throw new ToolError('Nothing like that is remembered.');
      await memories.remove(user.did, found.memoryId);
      return { forgotten: found.content };
    },
  });
}
