import { strongInProduction, tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { baseUrl, wholeNumber } from '../api/settings.js';

export const creditSettings = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    /** Balances are stored in the oracle's own database. */
    CREDITS: z.literal('local', 'must be local').optional(),
    /** Maximum usage of a turn, in input and output tokens. */
    CREDITS_TURN_TOKENS: wholeNumber({ default: 100_000, min: 100, max: 1_000_000_000 }),
    /** Base address of the subscription API, which decides on access. */
    SUBSCRIPTION_URL: baseUrl.optional(),
    /** Handling of messages of unknown users while the subscription API is unavailable. */
    SUBSCRIPTION_AWAY: z.enum(['refuse', 'answer'], 'must be refuse or answer').default('refuse'),
    /** Interval of submissions of usage; 0: only by the route for it. */
    SUBSCRIPTION_DELIVERY_SECONDS: wholeNumber({ default: 10, min: 0, max: 3_600 }),
    /** Sent to the subscription API. */
    SUBSCRIPTION_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 characters of printable ASCII without blanks')
      .optional(),
    /** Required from clients that top up balances or settle claims. */
    CREDITS_OPERATOR_TOKEN: strongInProduction(
      z.string().min(16, 'must be at least 16 characters').max(512, 'must be at most 512 characters').optional(),
      tokenWeakness,
    ),
  })
  .superRefine((settings, context) => {
    const refuse = (variable: string, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message });
    const { CREDITS, SUBSCRIPTION_URL, CREDITS_OPERATOR_TOKEN, NODE_ENV } = settings;
    // A missing variable is reported by name, so each problem names the variable whose absence or presence is the cause.
    if (CREDITS === undefined && SUBSCRIPTION_URL === undefined) refuse('SUBSCRIPTION_URL', 'is required');
    if (CREDITS !== undefined && SUBSCRIPTION_URL !== undefined) {
      refuse('SUBSCRIPTION_URL', 'give either SUBSCRIPTION_URL or CREDITS=local, not both');
    }
    if (NODE_ENV === 'production' && CREDITS_OPERATOR_TOKEN === undefined) {
      refuse('CREDITS_OPERATOR_TOKEN', 'is required');
    }
  });

export type CreditSettings = z.output<typeof creditSettings>;
