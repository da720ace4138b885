import { z } from 'zod';

/** The error body of the REST services: clients read `statusCode` from the body, not from the status line. */
export const jsonError = z
  .object({
    statusCode: z.number().int().min(400).max(599).describe('The HTTP status, repeated.'),
    error: z.string().describe('The standard name of the status.'),
    message: z.string().describe('The cause, as a sentence.'),
  })
  .describe('An error.');

export type JsonError = z.output<typeof jsonError>;

/** The body of a 400, with the names of invalid fields, if any. */
export const invalidRequest = jsonError
  .extend({
    fields: z.array(z.string()).optional().describe('Paths of the invalid fields, with dots between names.'),
  })
  .describe('An invalid request.');

/** The error of a failed turn for the client that waits for its answer. */
export const failedTurn = jsonError
  .extend({
    status: z.enum(['failed', 'interrupted']).describe('Status of the turn.').optional(),
    runId: z.string().optional(),
  })
  .describe('An error, or a failed turn. Its partial answer is listed with the messages.');
