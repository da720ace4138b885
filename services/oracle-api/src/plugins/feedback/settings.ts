import { strongInProduction, tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';

export const feedbackSettings = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  FEEDBACK_OPERATOR_TOKEN: strongInProduction(
    z.string().min(16, 'must be at least 16 characters').max(512, 'must be at most 512 characters').optional(),
    tokenWeakness,
  ).describe('Required to read the feedback of all users. In production the route is closed without it'),
});

export type FeedbackSettings = z.output<typeof feedbackSettings>;
