import { z } from 'zod';

export const memoryRecord = z
  .object({
    id: z.string(),
    kind: z.enum(['fact', 'artifact']),
    title: z.string().optional(),
    content: z.string(),
    createdAt: z.iso.datetime().describe('ISO 8601, UTC'),
  })
  .describe('A stored memory of the user');
export type MemoryRecord = z.infer<typeof memoryRecord>;

/** A memory about the user, stored by the model or on the user's request. */
export const memoryNew = z.object({
  content: z.string().trim().min(1).max(20_000).describe('Complete text, clear without the conversation'),
  kind: z.enum(['fact', 'artifact']).default('fact'),
  title: z.string().trim().min(1).max(200).optional().describe('Title of an artifact'),
});

export const memoryList = z.object({ memories: z.array(memoryRecord), total: z.int().min(0) });

export const memoryListQuery = z.object({
  query: z.string().trim().min(1).max(500).optional().describe('Words, at least one of which must match'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export const memoryPath = z.object({ id: z.string().min(1).max(128) });

export const memoryForgotten = z.object({ message: z.literal('Memory deleted successfully') });
