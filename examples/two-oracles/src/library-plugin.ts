import { definePlugin, defineTool, ToolError } from '@mlango/oracle-api/plugin';
import { z } from 'zod';

/** Stores the borrower of each book. */
export const libraryPlugin = definePlugin({
  name: 'library',
  version: '1.0.0',
  manifest: {
    title: 'Library',
    summary: 'Lends a book to each reader.',
    whenToUse: 'somebody wants a book.',
    visibility: 'always',
  },
  getTools: () => [
    defineTool({
      name: 'borrow',
      description: 'Lends the reader a book, in the place of the one that they have.',
      effects: 'inside',
      isOffered: true,
      inputSchema: z.object({ title: z.string().trim().min(1).max(200) }),
      async execute({ title }, { kv }) {
        if (!(await kv.put('book', title)).ok) throw new ToolError('The book cannot be lent.');
        return { borrowed: title };
      },
    }),
    defineTool({
      name: 'my_book',
      description: 'The book that the reader has.',
      effects: 'none',
      isOffered: true,
      inputSchema: z.object({}),
      execute: async (_nothing, { kv }) => ({ title: (await kv.get('book'))?.value ?? null }),
    }),
  ],
});
