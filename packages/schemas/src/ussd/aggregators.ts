import { z } from 'zod';
import {
  phoneNumberPattern,
  serviceCodePattern,
  typedText,
  ussdLimits,
  ussdRequestSchema,
  ussdSessionId,
} from './session.js';

// Requests and replies of telecom gateways, by their public documentation. Fields beyond those named are ignored. JSON encoders
// of gateways differ in quoting, so whole numbers pass for texts, and texts for truth values. A null is an absent field.

/** Read if it is a word. */
const network = z.unknown().optional().meta({ description: "The caller's network", example: 'MTN' });

const word = z.union([z.string(), z.int().min(0).transform(String)]);
const input = word.pipe(typedText(ussdLimits.textChars));
/** Gateways that send the whole input of a session at every hop; only the new part counts. */
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

const sequence = word.pipe(z.string().regex(/^[0-9]{1,9}$/)).describe('Counts the requests of a session');

/** Hubtel's name of a service in its app, mall and points of sale: 32 hex digits, dashes allowed. */
const serviceId = word.transform((id) => id.replaceAll('-', '').toLowerCase()).pipe(z.string().regex(/^[0-9a-f]{32}$/));

export interface WireRules {
  /** Most groups of digits in a service code. */
  readonly serviceCodeLevels: number;
}

/** The parts of a request that aggregators have in common, for adapters that are described as text. */
export const aggregatorFields = {
  accumulated,
  input,
  msisdn,
  network,
  serviceCode,
  sequence,
  sessionId,
  word,
} as const;

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
  .describe("The end of a session, reported by Africa's Talking");

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
      Message: input.nullish().describe('The last input; the dialled code on Initiation'),
      Sequence: sequence.nullish(),
      Operator: network,
    })
    .describe('One hop from Hubtel; `Message` is the last input');

/** `Type` Release or Timeout. Other fields are not used. */
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
    Label: z.string().describe('The first line of the message, used as a title if the channel has one'),
    DataType: z.enum(['input', 'display']),
    FieldType: z.literal('text'),
    ClientState: z.literal(''),
  })
  .describe('`response` waits for input, `release` closes the session');

export const infobipHop = (rules: WireRules) =>
  z
    .object({
      sessionId,
      msisdn,
      text: input.nullish().describe('The last input; the dialled code at the start'),
      shortCode: serviceCode(rules.serviceCodeLevels).nullish(),
    })
    .describe('One hop from Infobip; `text` is the last input');

export const infobipEnd = z
  .object({ sessionId, msisdn: msisdn.nullish() })
  .describe('The end of a session, reported by Infobip');

export const infobipReply = z
  .strictObject({
    ussdMenu: z.string(),
    shouldClose: z.boolean(),
    responseExitCode: z.int(),
    responseMessage: z.string(),
  })
  .describe('`shouldClose` closes the session');

export const infobipEndReply = infobipReply.pick({ responseExitCode: true, responseMessage: true });
