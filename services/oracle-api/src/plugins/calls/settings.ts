import { strongInProduction, tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { isBase, wholeNumber } from '../api/settings.js';

const protocols = ['ws:', 'wss:', 'http:', 'https:'];
const encrypted = ['wss:', 'https:'];

export const callSettings = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    LIVEKIT_URL: z
      .string()
      .refine(
        (text) => isBase(text, protocols),
        'must be a URL starting with ws:// or wss://, without a user, a query or a fragment',
      )
      .describe('A LiveKit server, in production `wss://`; requires its key and secret'),
    LIVEKIT_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 characters without blanks')
      .describe('API key of that server'),
    LIVEKIT_API_SECRET: strongInProduction(
      z.string().regex(/^[\x21-\x7e]{6,256}$/, 'must be 6 to 256 characters without blanks'),
      tokenWeakness,
    ).describe('API secret of that server; in production at least 32 characters'),
    LIVEKIT_AGENT_NAME: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 characters of A-Z a-z 0-9 _ -')
      .optional()
      .describe('Agent worker that LiveKit dispatches to each call'),
    CALLS_AGENT_TOKEN: strongInProduction(
      z
        .string()
        .regex(/^[\x21-\x7e]{32,256}$/, 'must be 32 to 256 characters of printable ASCII without blanks')
        .optional(),
      tokenWeakness,
    ).describe('Bearer token of the call agent; without it that route is closed'),
    CALL_MAX_MINUTES: wholeNumber({ default: 60, min: 1, max: 1_440 }).describe('Maximum length of a call'),
  })
  .superRefine(({ NODE_ENV, LIVEKIT_URL, LIVEKIT_API_SECRET }, context) => {
    if (NODE_ENV !== 'production') return;
    const refuse = (variable: string, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message });
    if (!encrypted.includes(new URL(LIVEKIT_URL).protocol)) {
      refuse('LIVEKIT_URL', 'must start with wss:// in production: tokens go over it');
    }
    if (LIVEKIT_API_SECRET.length < 32) refuse('LIVEKIT_API_SECRET', 'must be at least 32 characters in production');
  });

export type CallSettings = z.output<typeof callSettings>;
