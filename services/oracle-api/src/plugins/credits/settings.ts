import { strongInProduction, tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { baseUrl, wholeNumber } from '../api/settings.js';

export const creditSettings = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    CREDITS: z.literal('local', 'must be local').optional().describe('`local`: balances in the database'),
    CREDITS_TURN_TOKENS: wholeNumber({ default: 100_000, min: 100, max: 1_000_000_000 }).describe(
      'With `CREDITS=local`: the maximum per answer, reserved while it runs',
    ),
    SUBSCRIPTION_URL: baseUrl.optional().describe('In place of `CREDITS`: the API that admits users and bills usage'),
    SUBSCRIPTION_AWAY: z
      .enum(['refuse', 'answer'], 'must be refuse or answer')
      .default('refuse')
      .describe('While that API is unavailable: `refuse` messages with 503, or `answer` them'),
    SUBSCRIPTION_DELIVERY_SECONDS: wholeNumber({ default: 10, min: 0, max: 3_600 }).describe(
      'Interval of usage reports; 0: only by `POST /credits/claims/process`',
    ),
    SUBSCRIPTION_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 characters of printable ASCII without blanks')
      .optional()
      .describe('Key of that API'),
    CREDITS_OPERATOR_TOKEN: strongInProduction(
      z.string().min(16, 'must be at least 16 characters').max(512, 'must be at most 512 characters').optional(),
      tokenWeakness,
    ).describe('Bearer token of the `credits` operator routes; required if `credits` is on'),
  })
  .superRefine((settings, context) => {
    const refuse = (variable: string, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message });
    const { CREDITS, SUBSCRIPTION_URL, CREDITS_OPERATOR_TOKEN, NODE_ENV } = settings;
    // Each problem is reported under the variable that causes it by its absence or presence.
    if (CREDITS === undefined && SUBSCRIPTION_URL === undefined) refuse('SUBSCRIPTION_URL', 'is required');
    if (CREDITS !== undefined && SUBSCRIPTION_URL !== undefined) {
      refuse('SUBSCRIPTION_URL', 'give either SUBSCRIPTION_URL or CREDITS=local, not both');
    }
    if (NODE_ENV === 'production' && CREDITS_OPERATOR_TOKEN === undefined) {
      refuse('CREDITS_OPERATOR_TOKEN', 'is required');
    }
  });

export type CreditSettings = z.output<typeof creditSettings>;
