import { z } from 'zod';

export const formality = z.enum([
  'casual',
  'friendly',
  'neutral',
  'semi-formal',
  'professional',
  'formal',
  'technical',
  'academic',
]);

const shortText = z.string().trim().min(1).max(200);

/** A user's preferences for answers. Every field may be missing. */
export const userPreferences = z
  .object({
    agentName: z.string().max(80).optional().describe('Name of the agent'),
    userName: z.string().max(80).optional().describe('Name of the user'),
    language: z.string().max(20).optional(),
    tone: shortText.optional(),
    formality: formality.optional(),
    responseLength: shortText.optional(),
    format: shortText.optional(),
    customInstructions: z.string().max(2_000).optional(),
    updatedAt: z.iso.datetime().describe('ISO 8601, UTC'),
  })
  .describe('Preferences of the user for answers');
export type UserPreferencesRecord = z.infer<typeof userPreferences>;

/** Preferences of a user, replaced as a whole: missing fields are unset. An empty text is no preference. */
export const userPreferencesBody = z.strictObject(
  userPreferences.omit({ updatedAt: true }).extend({
    agentName: shortText.max(80).optional(),
    userName: shortText.max(80).optional(),
    language: shortText.max(20).optional(),
    customInstructions: z.string().trim().min(1).max(2_000).optional(),
  }).shape,
);

/** The record, or `null` without preferences. */
export const userPreferencesReply = userPreferences.nullable();
