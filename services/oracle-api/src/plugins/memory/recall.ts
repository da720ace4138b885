import { z } from 'zod';
import { defineTool } from '../../plugin-kit/plugin-tool.js';
import { recalled } from './recalled.js';
import type { MemoryBoot } from './tables.js';

/** The tool that looks for what is remembered of the user. */
export function recall({ own: memories }: Pick<MemoryBoot, 'own'>) {
  return defineTool({
    name: 'recall',
    description: 'Looks for what the user wanted remembered: by words, or the newest of all without any.',
    effects: 'none',
    inputSchema: z.object({
      query: z.string().trim().max(500).default('').describe('words that it holds; any of them will do'),
      limit: z.int().min(1).max(20).default(5),
    }),
    async execute({ query, limit }, { user }) {
      const found =
        query === ''
          ? (await memories.list(user.did, { limit, offset: 0 })).memories
          : await memories.search(user.did, query, limit);
      return found.map(recalled);
    },
  });
}
