import { z } from 'zod';

const isoTime = z.iso.datetime().describe('ISO 8601, UTC');

export const sessionLimits = { titleChars: 200, queryChars: 200, foundMessages: 50 } as const;

/** What its user changes of a session. What is not named stays as it is. */
export const changeSessionBody = z
  .object({
    title: z.string().trim().min(1).max(sessionLimits.titleChars).optional(),
    archived: z.boolean().optional().describe('whether it is left out of the list of sessions'),
  })
  .refine(({ title, archived }) => title !== undefined || archived !== undefined, 'give a title, or archived, or both');
export type ChangeSessionBody = z.infer<typeof changeSessionBody>;

export const sessionSearchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(sessionLimits.queryChars)
    .describe('words that a message has all of; `"so"` in that order, `or` either, `-` not'),
  limit: z.coerce.number().int().min(1).max(sessionLimits.foundMessages).default(20),
  cursor: z.string().min(1).max(64).optional().describe('`nextCursor` of another page'),
});

export const foundMessage = z
  .object({
    sessionId: z.string(),
    title: z.string(),
    messageId: z.string(),
    type: z.enum(['human', 'ai']),
    snippet: z.string().describe('words around those that were found: plain text, to be escaped where it is shown'),
    createdAt: isoTime,
  })
  .describe('A message that was found');
export type FoundMessageRecord = z.infer<typeof foundMessage>;

export const sessionSearchPage = z.object({
  results: z.array(foundMessage).describe('newest first'),
  nextCursor: z.string().nullable(),
});
