import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { runStatus, storedComponent, toolCallRecord } from './events.js';

export const answerStatus = runStatus
  .extract(['finished', 'waiting', 'aborted', 'interrupted', 'failed'])
  .describe('End of its turn; `waiting` while a tool call waits for the decision of the user');

export const finishReason = z.literal('length').describe('The answer reached the maximum length and may be incomplete');

export const messageRecord = z
  .object({
    id: z.string().describe('Id of an answer is the request id of its run'),
    type: z.enum(['human', 'ai']),
    content: z.string(),
    toolCalls: z.array(toolCallRecord).optional(),
    components: z.array(storedComponent).optional(),
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
      .describe('Number of turns, not of messages'),
    before: cursor.describe('`prevCursor` of another page, for older turns'),
    after: cursor.describe('`nextCursor` of another page, for newer turns'),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, {
    path: ['after'],
    message: 'give either before or after, not both',
  });

export const messagePage = z
  .object({
    messages: z.array(messageRecord).describe('Oldest first'),
    prevCursor: z.string().nullable(),
    nextCursor: z.string().nullable(),
    hasOlder: z.boolean(),
    hasNewer: z.boolean(),
  })
  .describe('A page of complete turns of a session');
