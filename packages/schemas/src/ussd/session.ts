import { z } from 'zod';

export const ussdLimits = {
  sessionIdChars: 100,
  /** Characters of the text of the canonical body, and of the new part in one that accumulates. */
  textChars: 182,
  /** Characters of the whole input of a session, for gateways that send it at every hop. */
  accumulatedChars: 2_048,
  /** Largest JSON body of one hop, in bytes. */
  bodyBytes: 4096,
  /** Largest body of one hop with an accumulating text, in bytes: a form may take nine for a character. */
  accumulatedBodyBytes: 20_480,
} as const;

/** ITU-T E.164: `+`, a country code that does not start with 0, 7 to 15 digits in all, without spaces. */
export const phoneNumberPattern = /^\+[1-9][0-9]{6,14}$/;

/** `*<digits>#`, or up to `levels` groups of digits: `*<digits>*<digits>#` has two. */
export function serviceCodePattern(levels: number): RegExp {
  return new RegExp(`^\\*[0-9]+(?:\\*[0-9]+){0,${levels - 1}}#$`);
}

/** Characters as Unicode counts them, so that an emoji is one and not two. */
export const atMostCharacters = (limit: number) => (text: string) => text.length <= limit || [...text].length <= limit;

/** Half of a surrogate pair is no character: it cannot be stored or sent as UTF-8. */
const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

export const ussdSessionId = z
  .string()
  .min(1)
  .refine(atMostCharacters(ussdLimits.sessionIdChars), `must be at most ${ussdLimits.sessionIdChars} characters`)
  .refine((id) => wellFormed(id) && !/\p{Control}/u.test(id), 'must not hold control characters')
  .meta({
    maxLength: ussdLimits.sessionIdChars,
    description: 'Session identifier, given by the telecom gateway',
    example: 'ATUid_7f3a',
  });

/** The user's input. */
export const typedText = (maxChars: number) =>
  z
    .string()
    .refine(atMostCharacters(maxChars), `must be at most ${maxChars} characters`)
    .refine(wellFormed, 'must be well-formed Unicode')
    .meta({ maxLength: maxChars });

/**
 * One hop, as a telecom gateway posts it. Fields beyond these four are ignored: gateways add their own.
 *
 * @param options.serviceCodeLevels maximum groups of digits in the service code; 2 in the first specification
 */
export function ussdRequestSchema(options: { serviceCodeLevels: number }) {
  return z
    .object({
      sessionId: ussdSessionId,
      serviceCode: z
        .string()
        .regex(serviceCodePattern(options.serviceCodeLevels))
        .meta({ description: 'The code the user dialled', example: '*384#' }),
      phoneNumber: z
        .string()
        .regex(phoneNumberPattern)
        .meta({ description: 'Subscriber number in E.164 format', example: '+260971230567' }),
      text: typedText(ussdLimits.textChars).meta({
        description: 'Input of the session so far, parts joined by `*`; empty on the dial',
        example: '1*2',
      }),
    })
    .describe('One hop of a USSD session');
}
export type UssdRequest = z.infer<ReturnType<typeof ussdRequestSchema>>;

/** The reply to a hop: `CON` keeps the session open, `END` closes it. */
export const ussdReply = z
  .string()
  .regex(/^(?:CON|END) /)
  .meta({
    description: '`CON <text>` shows a screen and waits for input; `END <text>` shows a text and closes the session',
    example: 'CON Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit',
  });

/** Replies a gateway reads when a hop was not run. The wording is part of the interface. */
export const ussdFixedReplies = {
  invalidInput: 'END Invalid input. Please try again.',
  unavailable: 'END Service temporarily unavailable. Please try again later.',
  tooManyRequests: 'END Too many requests. Please try again later.',
  sessionExpired: 'END Session expired. Please dial again.',
} as const;

const activeSessionIds = z.array(z.string()).describe('Identifiers of the sessions that are active now');

export const ussdDebugRecord = z
  .object({
    sessionId: z.string(),
    debugInfo: z.object({
      state: z.string().describe('Name of the screen the session is on').meta({ example: 'preMenu' }),
      context: z.object({
        sessionId: z.string(),
        phoneNumber: z.string().describe('E.164'),
        message: z.string().describe('The text on the handset now, without CON'),
        isAuthenticated: z.boolean(),
      }),
      status: z.enum(['active']),
    }),
    activeSessions: activeSessionIds,
  })
  .describe('State of one active session, for operators');
export type UssdDebugRecord = z.infer<typeof ussdDebugRecord>;

export const ussdSessionNotFound = z
  .object({
    statusCode: z.literal(404),
    error: z.literal('Not Found'),
    message: z.string(),
    sessionId: z.string(),
    activeSessions: activeSessionIds,
  })
  .describe('The session expired, ended or never existed');

export const ussdServiceQuery = z.object({
  service: z
    .string()
    .max(30)
    .optional()
    .describe('Which service: without it that of the token, or `default` for the token of the gateway'),
});

export const ussdActiveSessions = z
  .object({ activeSessions: activeSessionIds, count: z.int().min(0) })
  .describe('All active sessions, for operators');

export const ussdCustomerId = z
  .string()
  .regex(/^C[0-9A-Z]{8}$/)
  .meta({ description: 'Customer ID', example: 'C7K2M9PQ4' });

export const ussdPinCode = z
  .object({
    customerId: ussdCustomerId,
    code: z
      .string()
      .regex(/^[0-9]{8}$/)
      .describe("The subscriber enters it instead of the PIN, on the account's phone"),
    lifeMinutes: z.int().min(1).describe('How long the code is valid'),
  })
  .describe('A one-time code for a subscriber who forgot the PIN. Returned only here');

const probe = {
  environment: z.string().meta({ example: 'production' }),
  timestamp: z.iso.datetime().describe('ISO 8601, UTC'),
};

const backEnds = {
  redis: z
    .enum(['connected', 'not writable', 'disconnected'])
    .describe('Whether sessions can be stored in Redis; absent if they are stored in the process')
    .optional(),
  hops: z
    .object({
      state: z
        .enum(['served', 'failing', 'quiet'])
        .describe('`failing` while none of the latest was answered; `quiet` while there are too few to judge'),
      windowSeconds: z.int().min(1).describe('The period of the latest hops'),
      unanswered: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe('The share of them that got no screen; null while quiet'),
    })
    .describe('The latest hops at this process, of all senders'),
};

export const ussdHealth = z
  .object({
    status: z.literal('ok'),
    ...probe,
    uptime: z.number().min(0).describe('Seconds since the process started'),
    database: z.literal('connected'),
    ...backEnds,
  })
  .describe('The database answered a query');

export const ussdHealthDown = z
  .object({
    status: z.literal('error'),
    ...probe,
    uptime: z.number().min(0).describe('Seconds since the process started'),
    database: z.literal('disconnected'),
    ...backEnds,
  })
  .describe('The database did not answer a query in time');

export const ussdRoot = z
  .object({ status: z.literal('ok'), message: z.string(), ...probe })
  .describe('The process runs');
