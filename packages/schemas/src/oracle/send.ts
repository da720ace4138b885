import { z } from 'zod';
import { jsonSchemaObject } from '../common/json-schema.js';
import { timeZoneName } from '../common/time-zone.js';
import { withoutNul } from '../common/without-nul.js';
import { answerStatus, finishReason, messageRecord } from './messages.js';
import { requestId } from './service.js';

export const sendLimits = {
  bodyBytes: 262_144,
  messageChars: 32_000,
  attachments: 10,
  filenameChars: 255,
  toolNameChars: 128,
  modelChars: 200,
  instructionsChars: 2_000,
  metadataBytes: 16_384,
  tokenChars: 8_192,
  matrixTokenChars: 4_096,
  homeServerChars: 255,
} as const;

const toolName = z.string().min(1).max(sendLimits.toolNameChars);

const browserTool = z.object({ name: toolName, description: z.string(), schema: jsonSchemaObject });

const agAction = z.object({
  name: toolName,
  description: z.string(),
  schema: jsonSchemaObject,
  hasRender: z.boolean().optional(),
});

const attachment = z
  .object({
    mxcUri: z
      .string()
      .regex(/^(mxc|https?):\/\//, 'must start with mxc://, http:// or https://')
      .max(2_048)
      .optional(),
    eventId: z.string().startsWith('$').max(255).optional(),
    attachmentId: z.string().min(1).max(128).optional().describe('From `POST /attachments`; excludes all other fields'),
    filename: z.string().min(1).max(sendLimits.filenameChars),
    mimetype: z.string().min(1).max(255),
    category: z.string().max(255).optional(),
    size: z.number().min(0).optional(),
  })
  .refine(
    ({ mxcUri: uri, eventId, attachmentId: id }) => (id === undefined) !== (uri === undefined && eventId === undefined),
    'needs mxcUri or eventId, or attachmentId alone',
  );

const base64Token = z
  .string()
  .max(sendLimits.tokenChars)
  .regex(/^[A-Za-z0-9+/_-]+={0,2}$/, 'must be base64');

/** Bytes of the value as JSON; infinite for one nested so deeply that it cannot be written. */
function jsonBytes(value: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Secrets of one request, for its turn only: neither stored nor logged. */
export const mcpInvocations = z.record(z.string(), base64Token).describe('MCP tool name to base64 CAR invocation.');

export const sendMessageBody = z
  .object({
    message: z
      .string()
      .min(1)
      .max(sendLimits.messageChars)
      .refine(...withoutNul),
    stream: z.boolean().default(false).describe('`true` answers with server-sent events'),
    returnAllMessages: z.boolean().default(false).describe('With a JSON reply: also returns the whole conversation'),
    tools: z.array(browserTool).optional().describe('Browser tools of the calling tab.'),
    agActions: z.array(agAction).optional().describe('AG-UI actions of the calling tab.'),
    attachments: z
      .array(attachment)
      .max(sendLimits.attachments)
      .optional()
      .describe('Files uploaded here, in Matrix or on the web.'),
    mcpInvocations: mcpInvocations.optional(),
    timezone: timeZoneName.optional().describe('IANA name; overrides the header `x-timezone`'),
    homeServer: z.string().max(sendLimits.homeServerChars).optional().describe("The user's Matrix homeserver."),
    metadata: z
      .record(z.string(), z.unknown())
      .refine((value) => jsonBytes(value) <= sendLimits.metadataBytes, 'must be at most 16 KiB of JSON')
      .optional()
      .describe('Any JSON object.'),
    instructions: z
      .string()
      .max(sendLimits.instructionsChars)
      .optional()
      .describe('Instructions of the app for the answer'),
    responseSchema: jsonSchemaObject.optional().describe('JSON Schema of an object; the answer is JSON of this schema'),
    model: z.string().min(1).max(sendLimits.modelChars).optional().describe('Id of a model from `GET /models`'),
    requestId: requestId.optional().describe('Becomes the id of the answer; overrides `x-request-id`'),
    edits: z.string().min(1).max(256).optional().describe('Id of a message that this one replaces, on a new branch'),
  })
  .describe('SendMessageDto');
export type SendMessageBody = z.infer<typeof sendMessageBody>;

export const sendMessageReply = z.object({
  message: z.object({
    type: z.literal('ai'),
    content: z.string(),
    id: z.string(),
    finishReason: finishReason.optional(),
  }),
  sessionId: z.string(),
  status: answerStatus,
  messages: z.array(messageRecord).optional(),
});
