import { z } from 'zod';
import { jsonError } from '../common/errors.js';
import { isoTime } from '../common/iso-time.js';
import { runStatus } from './events.js';

export const runRecord = z
  .object({ runId: z.string(), sessionId: z.string(), requestId: z.string(), status: runStatus, createdAt: isoTime })
  .describe('The run that answers a message');

export const sessionRun = z.object({ run: runRecord.nullable() });

export const runPath = z.object({ runId: z.string().describe('Id of the run, from `X-Run-Id`') });

const frameId = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const runStreamQuery = z.object({ after: frameId.default(0).describe('Id of the last received frame') });

export const runStreamHeaders = z.object({
  'last-event-id': frameId
    .optional()
    .describe('Id of the last received frame, as event stream clients send it on reconnect; overrides `after`'),
});

export const abortBody = z.object({ sessionId: z.string().min(1) });
export const abortReply = z.object({ success: z.boolean() });

/** Both names for the ids are read by clients. */
export const paymentRequired = jsonError
  .extend({ claims: z.array(z.string()), outstandingClaims: z.array(z.string()) })
  .describe('A payment is required');
