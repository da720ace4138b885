import { z } from 'zod';
import {
  phoneNumberPattern,
  serviceCodePattern,
  typedText,
  ussdLimits,
  ussdRequestSchema,
  ussdSessionId,
} from './ussd.js';

// What telecom gateways send and read, by the public documentation of each. Fields beyond those named are ignored.
// JSON encoders of gateways differ in what they quote, so whole numbers pass for texts, and texts for truth values. A null is a field that is absent.

/** Read as far as it is a word. */
const network = z.unknown().optional().meta({ description: "The caller's network", example: 'MTN' });

const word = z.union([z.string(), z.int().min(0).transform(String)]);
const input = word.pipe(typedText(ussdLimits.textChars));
/** Gateways that send all of a session at every hop, which grows by what is new. */
const accumulated = word.pipe(typedText(ussdLimits.accumulatedChars));
const sessionId = word.pipe(ussdSessionId);

/** A subscriber number with or without `+`, which a form that was not encoded turns into a blank. */
const msisdn = word
  .transform((number) => `+${number.replace(/^[+ ]/, '')}`)
  .pipe(z.string().regex(phoneNumberPattern))
  .meta({ description: 'Subscriber number, international, `+` optional', example: '233200585542' });

/** `713`, `*713` or `*713#`. */
const serviceCode = (levels: number) =>
  word
    .transform((code) => `*${code.replace(/^\*/, '').replace(/#$/, '')}#`)
    .pipe(z.string().regex(serviceCodePattern(levels)));

/** Hubtel's name of a service in its app, mall and points of sale: 32 hex digits, dashes allowed. */
const serviceId = word.transform((id) => id.replaceAll('-', '').toLowerCase()).pipe(z.string().regex(/^[0-9a-f]{32}$/));

const truth = z
  .union([z.boolean(), z.int().min(0).max(1), z.string().toLowerCase()])
  .pipe(z.preprocess(String, z.enum(['true', 'false', '1', '0'])))
  .transform((value) => value === 'true' || value === '1');

export interface WireRules {
  /** Most groups of digits in a service code. */
  readonly serviceCodeLevels: number;
}

/** The canonical hop with the caller's network. */
export const canonicalRequest = (rules: WireRules) => ussdRequestSchema(rules).extend({ networkCode: network });

export const africastalkingRequest = (rules: WireRules) =>
  z
    .object({
      sessionId,
      serviceCode: serviceCode(rules.serviceCodeLevels),
      phoneNumber: msisdn,
      text: accumulated,
      networkCode: network,
    })
    .describe("One hop from Africa's Talking; `text` accumulates");

/** Sent once a session is over, however it ended. */
export const africastalkingEvent = z
  .object({ sessionId, phoneNumber: msisdn, status: z.unknown().optional().meta({ example: 'Incomplete' }) })
  .describe("The end of a session, told by Africa's Talking");

export const hubtelRequest = (rules: WireRules) =>
  z
    .object({
      SessionId: sessionId,
      Mobile: msisdn,
      Type: z
        .string()
        .toLowerCase()
        .pipe(z.enum(['initiation', 'response', 'release', 'timeout'])),
      ServiceCode: z
        .union([serviceId, serviceCode(rules.serviceCodeLevels)])
        .nullish()
        .describe('The service code; from the app, the mall and points of sale a service id of 32 hex digits'),
      Message: input.nullish().describe('The last input; on Initiation what was dialled'),
      Sequence: word
        .pipe(z.string().regex(/^[0-9]{1,9}$/))
        .nullish()
        .describe('Counts the requests of a session'),
      Operator: network,
    })
    .describe('One hop from Hubtel; `Message` is the last input');

/** `Type` Release or Timeout. Nothing else in it is used. */
export const hubtelEnd = z.object({
  SessionId: sessionId,
  Mobile: msisdn,
  Type: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['release', 'timeout'])),
});

export const hubtelReply = z
  .strictObject({
    SessionId: z.string(),
    Type: z.enum(['response', 'release']),
    Message: z.string(),
    Label: z.string().describe('The first line of the message, a title where the channel shows one'),
    DataType: z.enum(['input', 'display']),
    FieldType: z.literal('text'),
    ClientState: z.literal(''),
  })
  .describe('`response` waits for input, `release` closes the session');

export const arkeselRequest = z
  .object({
    sessionID: z.union([sessionId, z.literal('')]).nullish(),
    userID: word.pipe(z.string().max(100)).nullish(),
    newSession: truth,
    msisdn,
    userData: input.nullish().describe('The last input; on a new session what was dialled'),
    network,
  })
  .describe('One hop from Arkesel; `userData` is the last input');

export const arkeselReply = z
  .strictObject({
    sessionID: z.string(),
    userID: z.string(),
    msisdn: z.string(),
    message: z.string(),
    continueSession: z.boolean(),
  })
  .describe('`continueSession` waits for input');

export const naloRequest = z
  .object({
    USERID: word.pipe(z.string().min(1).max(90)),
    MSISDN: msisdn,
    USERDATA: input.nullish().describe('The last input; on a new session what was dialled'),
    NETWORK: network,
    MSGTYPE: truth.describe('true on the first request of a session'),
    SESSIONID: z.union([sessionId, z.literal('')]).nullish(),
  })
  .describe('One hop from Nalo; `USERDATA` is the last input');

export const naloReply = z
  .strictObject({
    USERID: z.string(),
    MSISDN: z.string(),
    USERDATA: z.string(),
    MSG: z.string(),
    MSGTYPE: z.boolean(),
  })
  .describe('`MSGTYPE` true waits for input');

export const infobipHop = (rules: WireRules) =>
  z
    .object({
      sessionId,
      msisdn,
      text: input.nullish().describe('The last input; on the start what was dialled'),
      shortCode: serviceCode(rules.serviceCodeLevels).nullish(),
    })
    .describe('One hop from Infobip; `text` is the last input');

export const infobipEnd = z
  .object({ sessionId, msisdn: msisdn.nullish() })
  .describe('The end of a session, told by Infobip');

export const infobipReply = z
  .strictObject({
    ussdMenu: z.string(),
    shouldClose: z.boolean(),
    responseExitCode: z.int(),
    responseMessage: z.string(),
  })
  .describe('`shouldClose` closes the session');

export const infobipEndReply = infobipReply.pick({ responseExitCode: true, responseMessage: true });

export const comvivaRequest = z
  .object({
    SessionID: sessionId,
    MSISDN: msisdn,
    input: input.describe(
      'The last input; on the first request the code that was dialled. Absent at the end of a session',
    ),
    clean: z.unknown().optional().describe('At the end of a session'),
    error: z.unknown().optional().describe('At the end of a session'),
  })
  .describe('One hop from Comviva; `input` is the last input');

/** The end of a session: `clean` or `error`, and no `input`. */
export const comvivaEnd = z
  .object({
    SessionID: sessionId,
    MSISDN: msisdn,
    input: z.literal('').optional(),
    clean: z.unknown().optional(),
    error: z.unknown().optional(),
  })
  .refine(({ clean, error }) => clean !== undefined || error !== undefined);
