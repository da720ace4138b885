import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';

/** Ids that clients put into paths without encoding them. `abort` names a route, so no session is called that. */
export const sessionIdPattern = /^[A-Za-z0-9_$-]{1,128}$/;

export const sessionPage = { defaultLimit: 20, maxLimit: 100 } as const;

export const sessionLimits = { titleChars: 200, queryChars: 200, foundMessages: 50 } as const;

export const sessionRecord = z
  .object({
    sessionId: z.string().regex(sessionIdPattern),
    title: z.string().describe('"Untitled" until the first complete turn'),
    createdAt: isoTime,
    lastUpdatedAt: isoTime,
    oracleName: z.string(),
    oracleDid: z.string(),
    oracleEntityDid: z.string(),
    roomId: z.string().optional().describe('Matrix room of the session'),
    archivedAt: isoTime.optional().describe('Time of archiving; absent if not archived'),
  })
  .describe('A chat session of the authenticated user');
export type SessionRecord = z.infer<typeof sessionRecord>;

/** Clients send no body, or an empty one; they may name the Matrix room that the conversation belongs to. */
export const createSessionBody = z
  .looseObject({
    roomId: z
      .string()
      .regex(/^![\x21-\x7e]{1,254}$/, 'must be a Matrix room id such as !abc:example.org')
      .optional()
      .describe('Matrix room id: stored with the session, and passed to plugins'),
  })
  .nullish();

export const sessionList = z.object({ sessions: z.array(sessionRecord), total: z.int().min(0) });

export const sessionDeleted = z.object({ message: z.literal('Session deleted successfully') });

/** A whole number as text. Anything else takes the default, and one above the maximum takes the maximum. */
const forgivingNumber = (fallback: number, max: number) =>
  z
    .unknown()
    .optional()
    .transform((text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Math.min(Number(text), max) : fallback))
    .meta({ type: 'integer', minimum: 0, maximum: max, description: `${fallback} unless given` });

export const sessionListQuery = z.object({
  limit: forgivingNumber(sessionPage.defaultLimit, sessionPage.maxLimit),
  offset: forgivingNumber(0, Number.MAX_SAFE_INTEGER),
  archived: z
    .unknown()
    .optional()
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', description: '`true`: those that are archived, in the place of those that are not' }),
});

/** Path ids are only bounded here: an id that cannot exist answers like one that does not. */
export const sessionPath = z.object({ sessionId: z.string().describe('Id of a session, from `POST /sessions`') });

/** Changes of a session by its user. Missing fields are not changed. */
export const changeSessionBody = z
  .object({
    title: z.string().trim().min(1).max(sessionLimits.titleChars).optional(),
    archived: z.boolean().optional().describe('Archived sessions are not in the list of sessions'),
  })
  .refine(({ title, archived }) => title !== undefined || archived !== undefined, 'give a title, or archived, or both');
export type ChangeSessionBody = z.infer<typeof changeSessionBody>;

export const sessionSearchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(sessionLimits.queryChars)
    .describe('Words that a message must contain; `"…"` is a phrase, `or` an alternative, `-` an exclusion'),
  limit: z.coerce.number().int().min(1).max(sessionLimits.foundMessages).default(20),
  cursor: z.string().min(1).max(64).optional().describe('`nextCursor` of another page'),
});

export const foundMessage = z
  .object({
    sessionId: z.string(),
    title: z.string(),
    messageId: z.string(),
    type: z.enum(['human', 'ai']),
    snippet: z.string().describe('Text around the matches: plain text that needs escaping in HTML'),
    createdAt: isoTime,
  })
  .describe('A search result');
export type FoundMessageRecord = z.infer<typeof foundMessage>;

export const sessionSearchPage = z.object({
  results: z.array(foundMessage).describe('Newest first'),
  nextCursor: z.string().nullable(),
});
