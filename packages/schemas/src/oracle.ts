import { z } from 'zod';
import { jsonError } from './errors.js';
import { keptComponent, runStatus, toolCallRecord } from './oracle-events.js';

/** Ids that clients put into paths without encoding them. `abort` names a route, so no session is called that. */
export const sessionIdPattern = /^[A-Za-z0-9_$-]{1,128}$/;

/** A correlation id as this service takes it from a caller. */
export const requestIdPattern = /^[\w.:-]{1,128}$/;

export const sendLimits = {
  bodyBytes: 262_144,
  messageChars: 32_000,
  attachments: 10,
  filenameChars: 255,
  toolNameChars: 128,
  /** Of objects and arrays in each other; a field of an object takes two of a schema. */
  schemaDepth: 64,
  modelChars: 200,
  instructionsChars: 2_000,
  metadataBytes: 16_384,
  tokenChars: 8_192,
  matrixTokenChars: 4_096,
  homeServerChars: 255,
} as const;

export const sessionPage = { defaultLimit: 20, maxLimit: 100 } as const;

const isoTime = z.iso.datetime().describe('ISO 8601, UTC');

/** `true` for a name of the IANA time zone database that this runtime knows, such as `Africa/Nairobi`. */
export function isTimeZone(name: string): boolean {
  // Offsets such as "+03:00" are accepted by Intl but are not names of zones.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

// ---------------------------------------------------------------- public routes

export const landing = z.object({ status: z.literal('ok'), message: z.string(), timestamp: isoTime });
export const liveness = z.object({ status: z.literal('ok'), timestamp: isoTime });

// ---------------------------------------------------------------- sessions

export const sessionRecord = z
  .object({
    sessionId: z.string().regex(sessionIdPattern),
    title: z.string().describe('"Untitled" until the first full turn has given the session a title'),
    createdAt: isoTime,
    lastUpdatedAt: isoTime,
    oracleName: z.string(),
    oracleDid: z.string(),
    oracleEntityDid: z.string(),
    roomId: z.string().optional().describe('The Matrix room that it was created for'),
    archivedAt: isoTime.optional().describe('since when it is archived; absent for one that is not'),
  })
  .describe('A chat session of the authenticated user');
export type SessionRecord = z.infer<typeof sessionRecord>;

/** Clients send no body, or an empty one; they may name the Matrix room that the conversation belongs to. */
export const createSessionBody = z
  .looseObject({
    roomId: z
      .string()
      .regex(/^![\x21-\x7e]{1,254}$/, 'must be a Matrix room id such as !abc:example.org')
      .optional()
      .describe('Matrix room id: kept with the session, and told to plugins'),
  })
  .nullish();

export const sessionList = z.object({ sessions: z.array(sessionRecord), total: z.int().min(0) });

export const sessionDeleted = z.object({ message: z.literal('Session deleted successfully') });

/** A whole number as text. Anything else takes the default, and one above the maximum takes the maximum. */
const forgivingNumber = (fallback: number, max: number) =>
  z
    .unknown()
    .optional()
    .transform((text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Math.min(Number(text), max) : fallback))
    .meta({ type: 'integer', minimum: 0, maximum: max, description: `${fallback} unless given` });

export const sessionListQuery = z.object({
  limit: forgivingNumber(sessionPage.defaultLimit, sessionPage.maxLimit),
  offset: forgivingNumber(0, Number.MAX_SAFE_INTEGER),
  archived: z
    .unknown()
    .optional()
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', description: '`true`: those that are archived, in the place of those that are not' }),
});

/** Path ids are only bounded here: an id that cannot exist answers like one that does not. */
export const sessionPath = z.object({ sessionId: z.string().describe('as returned by `POST /sessions`') });

// ---------------------------------------------------------------- messages

const answerStatus = runStatus
  .extract(['finished', 'waiting', 'aborted', 'interrupted', 'failed'])
  .describe('how its turn ended; `waiting` while its user has to allow a call');

const finishReason = z.literal('length').describe('it was as long as it may be, and may end in the midst');

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
        'ids of the messages that stand for each other here, itself too, oldest first: `PUT /sessions/{sessionId}/branch` shows another one',
      ),
    createdAt: isoTime,
  })
  .describe('A message as it is listed');
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

// ---------------------------------------------------------------- runs

export const runRecord = z
  .object({ runId: z.string(), sessionId: z.string(), requestId: z.string(), status: runStatus, createdAt: isoTime })
  .describe('What answers a message, or has answered it');

export const sessionRun = z.object({ run: runRecord.nullable() });

// ---------------------------------------------------------------- payment

/** Both names for the ids are read by clients. */
export const paymentRequired = jsonError
  .extend({ claims: z.array(z.string()), outstandingClaims: z.array(z.string()) })
  .describe('Something has to be paid first');

// ---------------------------------------------------------------- send

export const jsonSchemaObject = z
  .record(z.string(), z.unknown())
  .refine((schema) => isNestedWithin(schema, sendLimits.schemaDepth), 'is nested too deep')
  .describe('JSON Schema; an empty one allows any object');

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
    attachmentId: z.string().min(1).max(128).optional().describe('of `POST /attachments`; stands alone'),
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

/** Looks no deeper than it must: what is nested beyond reason overflows the stack of whoever walks it to its end. */
function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isNestedWithin(part, levels - 1));
}

/** Bytes of the value as JSON; infinite for one nested so deeply that it cannot be written. */
function jsonBytes(value: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export const timeZoneName = z.string().refine(isTimeZone, 'must be an IANA time zone name such as Africa/Nairobi');

export const requestId = z.string().regex(requestIdPattern, 'must be 1 to 128 letters, digits or any of _ . : -');

/** Secrets of one request, for its turn alone: neither kept nor logged. */
export const mcpInvocations = z.record(z.string(), base64Token).describe('MCP tool name to base64 CAR invocation.');

export const sendMessageBody = z
  .object({
    message: z
      .string()
      .min(1)
      .max(sendLimits.messageChars)
      .refine((text) => !text.includes('\u0000'), 'must not contain the NUL character'),
    stream: z.boolean().default(false).describe('`true` answers with server-sent events'),
    returnAllMessages: z.boolean().default(false).describe('JSON reply only: also the whole transcript'),
    tools: z.array(browserTool).optional().describe('Browser tools of the calling tab.'),
    agActions: z.array(agAction).optional().describe('AG-UI actions of the calling tab.'),
    attachments: z
      .array(attachment)
      .max(sendLimits.attachments)
      .optional()
      .describe('Files uploaded here, in Matrix or on the web.'),
    mcpInvocations: mcpInvocations.optional(),
    timezone: timeZoneName.optional().describe('IANA name; stands before the header `x-timezone`'),
    homeServer: z.string().max(sendLimits.homeServerChars).optional().describe("The user's Matrix homeserver."),
    metadata: z
      .record(z.string(), z.unknown())
      .refine((value) => jsonBytes(value) <= sendLimits.metadataBytes, 'must be at most 16 KiB of JSON')
      .optional()
      .describe('Free-form.'),
    instructions: z.string().max(sendLimits.instructionsChars).optional().describe('what the app asks of the answer'),
    model: z.string().min(1).max(sendLimits.modelChars).optional().describe('one of `GET /models`'),
    requestId: requestId.optional().describe('becomes the id of the answer; stands before `x-request-id`'),
    edits: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('a message that is said in other words: this one stands in its place, on a branch of its own'),
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

export const abortBody = z.object({ sessionId: z.string().min(1) });
export const abortReply = z.object({ success: z.boolean() });

export const modelList = z.object({
  models: z.array(z.object({ id: z.string(), label: z.string(), isDefault: z.boolean() })),
  default: z.string(),
});
