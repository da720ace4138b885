import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { withoutNul } from '../common/without-nul.js';

/**
 * The uses of a key: `read` reads the user's data, `send` sends messages in sessions, `tools` calls tools in the turns that
 * answer, and the last one uses the protocols for other clients.
 */
export const apiKeyScope = z.enum(['read', 'send', 'tools', 'doors']);
export type ApiKeyScope = z.infer<typeof apiKeyScope>;

export const apiKeyLimits = { nameChars: 80, days: 366, defaultDays: 90 } as const;

export const newApiKeyBody = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(apiKeyLimits.nameChars)
    .refine(...withoutNul)
    .describe('Purpose of the key'),
  scopes: z
    .array(apiKeyScope)
    .min(1)
    .max(apiKeyScope.options.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each once'),
  expiresInDays: z.int().min(1).max(apiKeyLimits.days).default(apiKeyLimits.defaultDays),
});

export const apiKeyRecord = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(apiKeyScope),
  createdAt: isoTime,
  expiresAt: isoTime,
  lastUsedAt: isoTime.optional().describe('Last use, rounded to the hour'),
});

export const newApiKey = apiKeyRecord.omit({ lastUsedAt: true }).extend({
  key: z.string().describe('The secret key; returned only in this reply'),
});

export const apiKeyList = z.object({ keys: z.array(apiKeyRecord) });

export const apiKeyPath = z.object({ id: z.string() });

export const apiKeyRevoked = z.object({ ok: z.literal(true) });
