import { z } from 'zod';
import type { PluginBoot } from '../../plugin-kit/plugin.js';
import { defineTool, ToolError } from '../../plugin-kit/plugin-tool.js';

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
export function forget({ stores }: Pick<PluginBoot, 'stores'>) {
  return defineTool({
    name: 'forget',
    description: 'Forgets one thing that the user wanted remembered.',
    inputSchema: named,
    async execute({ id, query }, { user }) {
      if (id !== undefined) {
        if (!(await stores.memories.remove(user.did, id))) throw new ToolError('There is no memory of that id.');
        return { forgotten: id };
      }
      if (query === undefined) throw new ToolError('Give the id of a memory, or words that it holds.');
      const [found] = await stores.memories.search(user.did, query, 1);
      if (found === undefined) throw new ToolError('Nothing like that is remembered.');
      await stores.memories.remove(user.did, found.memoryId);
      return { forgotten: found.content };
    },
  });
}
