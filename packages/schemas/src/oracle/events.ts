import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';

export const runStatus = z.enum([
  'queued',
  'running',
  'waiting',
  'recovering',
  'finished',
  'aborted',
  'interrupted',
  'failed',
]);
export type RunStatus = z.infer<typeof runStatus>;

export const runErrorKind = z.enum([
  'rate_limit',
  'billing',
  'auth',
  'timeout',
  'server',
  'network',
  'interrupted',
  'unknown',
]);

/** The fields of every event of a turn that identify its answer. */
const place = { sessionId: z.string(), requestId: z.string() };

/** The position of a component or call within an answer's text. */
const answerPlace = z.int().min(0).describe('Position in the text of the answer, in characters');

const toolArgs = z.record(z.string(), z.unknown());

const toolCall = z.object({
  ...place,
  toolName: z.string(),
  args: toolArgs,
  status: z.enum(['isRunning', 'done']),
  eventId: z.string().describe('Id of the call, the same in all of its events'),
  output: z.string().describe('JSON text').optional(),
  error: z.string().describe('Cause of a missing result').optional(),
});

const actionCall = z.object({
  ...place,
  toolCallId: z.string(),
  toolName: z.string(),
  args: toolArgs,
  status: z.enum(['isRunning', 'done', 'error']),
  output: z.string().describe('JSON text').optional(),
  error: z.string().optional(),
});

const approvalRequest = z.object({
  ...place,
  toolCallId: z.string(),
  toolName: z.string(),
  args: toolArgs.describe('All arguments, as the tool receives them'),
  title: z.string(),
  reason: z.string().describe('Reason of the request'),
  plugin: z.string().describe('Plugin of the tool'),
  at: answerPlace.optional(),
  expiresAt: isoTime.describe('Time after which the request counts as denied'),
});

/** Event name to the shape of its one `data:` line in the stream of a run. A `message` carries a delta, to be appended. */
export const runEvents = {
  run: z.object({
    runId: z.string(),
    ...place,
    resumed: z.boolean().optional(),
    attempt: z.int().optional(),
    partialLength: z.int().optional(),
    lost: z
      .object({ from: z.int(), to: z.int().optional() })
      .describe(
        'Range of frames that expired: their text is sent again at once, or without `to` as one `message` at the end of the run; ' +
          'their tool calls and reasoning are in the conversation after the run',
      )
      .optional(),
  }),
  message: z.object({ content: z.string(), timestamp: isoTime }),
  reasoning: z.object({ ...place, reasoning: z.string(), isComplete: z.boolean(), timestamp: isoTime }),
  tool_call: toolCall,
  action_call: actionCall,
  approval_request: approvalRequest,
  error: z.object({
    error: z.string(),
    kind: runErrorKind,
    code: z.string().optional(),
    source: z.string(),
    status: z.int().optional(),
    retryable: z.boolean(),
    detail: z.string(),
    ...place,
    timestamp: isoTime,
  }),
  done: z.object({
    runId: z.string(),
    messageId: z.string().optional(),
    status: runStatus,
    aborted: z.boolean().optional(),
    failed: z.boolean().optional(),
    interrupted: z.boolean().optional(),
    partialText: z.string().optional(),
    /** The answer reached the maximum length and may be incomplete. */
    finishReason: z.literal('length').optional(),
    /** Id of the model that answered: another than the requested one if that one failed. Absent for a run read from the database. */
    model: z.string().optional(),
    /**
     * Tokens used by the model; absent for a run read from the database. `credits` is the user's price for them, if there is one;
     * charges of tools are added.
     */
    usage: z
      .object({
        inputTokens: z.int(),
        outputTokens: z.int(),
        isEstimated: z.boolean(),
        credits: z.int().optional(),
      })
      .optional(),
  }),
} as const;
export type RunEventName = keyof typeof runEvents;

/** Events of a turn that sockets carry and the stream of its run does not. */
export const liveEvents = {
  run_status: z.object({
    ...place,
    runId: z.string().describe('Id of the run; its stream is GET /runs/:runId'),
    status: z.enum(['queued', 'running']).describe('`queued` while earlier messages of the session are answered'),
    messageId: z.string(),
    message: z.string(),
    instead: z
      .string()
      .optional()
      .describe('Id of the message that this one replaces, on a new branch: hide that message and all after it'),
    attachments: z.array(z.record(z.string(), z.unknown())).optional(),
    timestamp: isoTime,
  }),
  render_component: z.object({
    ...place,
    componentName: z.string(),
    args: toolArgs.optional(),
    status: z.string().optional(),
    eventId: z.string().optional(),
    at: answerPlace.optional(),
  }),
  browser_tool_call: z.object({ ...place, toolCallId: z.string(), toolName: z.string(), args: toolArgs }),
  router_update: z.object({ ...place, step: z.string() }),
  message_cache_invalidation: z.object({ ...place, status: z.literal('done') }),
} as const;

/** A call as stored in an answer. */
export const toolCallRecord = z.object({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  status: z.string().optional(),
  output: z.string().describe('JSON text').optional(),
  error: z.string().describe('Cause of a missing result').optional(),
  at: answerPlace.optional(),
  attachments: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Files of the output: `GET /attachments/{attachmentId}`'),
});

/** The latest state of a component shown with an answer. */
export const storedComponent = liveEvents.render_component.omit({ sessionId: true, requestId: true });

type Events<Shapes extends Record<string, z.ZodType>> = {
  [Name in keyof Shapes]: { event: Name; data: z.infer<Shapes[Name]> };
}[keyof Shapes];

/** One event of a run, named and shaped. */
export type RunEvent = Events<typeof runEvents>;
/** One event that only sockets carry, named and shaped. */
export type LiveEvent = Events<typeof liveEvents>;
