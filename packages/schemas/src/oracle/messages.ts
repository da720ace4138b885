import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { keptComponent, runStatus, toolCallRecord } from './events.js';

export const answerStatus = runStatus
  .extract(['finished', 'waiting', 'aborted', 'interrupted', 'failed'])
  .describe('how its turn ended; `waiting` while its user has to allow a call');

export const finishReason = z.literal('length').describe('it was as long as it may be, and may end in the midst');

export const messageRecord = z
  .object({
    id: z.string().describe('of an answer: the request id of the run that wrote it'),
    type: z.enum(['human', 'ai']),
    content: z.string(),
    toolCalls: z.array(toolCallRecord).optional(),
    components: z.array(keptComponent).optional(),
    reasoning: z.string().optional(),
    status: answerStatus.optional(),
    finishReason: finishReason.optional(),
    isComplete: z.literal(true),
    isReasoning: z.literal(false),
    attachments: z.array(z.record(z.string(), z.unknown())).optional(),
    siblings: z
      .array(z.string())
      .optional()
      .describe(
        'ids of the alternative messages at this point, including this one, oldest first; `PUT /sessions/{sessionId}/branch` selects another one',
      ),
    createdAt: isoTime,
  })
  .describe('A listed message');
export type MessageRecord = z.infer<typeof messageRecord>;

export const messageList = z.object({ messages: z.array(messageRecord) });

export const turnPage = { defaultLimit: 20, maxLimit: 100 } as const;

const cursor = z.string().min(1).max(512).optional();

export const messagePageQuery = z
  .object({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(turnPage.maxLimit)
      .default(turnPage.defaultLimit)
      .describe('turns, not messages'),
    before: cursor.describe('`prevCursor` of another page: older turns'),
    after: cursor.describe('`nextCursor` of another page: newer turns'),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, {
    path: ['after'],
    message: 'give either before or after, not both',
  });

export const messagePage = z
  .object({
    messages: z.array(messageRecord).describe('oldest first'),
    prevCursor: z.string().nullable(),
    nextCursor: z.string().nullable(),
    hasOlder: z.boolean(),
    hasNewer: z.boolean(),
  })
  .describe('Some turns of a session, each of them whole');
