import { z } from 'zod';

export const runPath = z.object({ runId: z.string().describe('as in `X-Run-Id`') });

export const runStreamQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('the id of the last frame seen'),
});
