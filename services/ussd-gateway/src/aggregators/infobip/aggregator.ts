import { aggregatorFields as fields } from '@mlango/schemas/ussd-aggregators';
import { z } from 'zod';
import {
  type AggregatorRules,
  defineEndpoint,
  type Endpoint,
  type HandsetReply,
  type MakeAggregator,
} from '../adapter.js';
import { readDialled } from '../dialled.js';

const hopOf = (rules: AggregatorRules) =>
  z
    .object({
      sessionId: fields.sessionId,
      msisdn: fields.msisdn,
      text: fields.input.nullish().describe('The last input; the dialled code at the start'),
      shortCode: fields.serviceCode(rules.serviceCodeLevels).nullish(),
    })
    .describe('One hop from Infobip; `text` is the last input');

const endOfSession = z
  .object({ sessionId: fields.sessionId, msisdn: fields.msisdn.nullish() })
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

const path = '/api/ussd/infobip/session/:sessionId';
const inPath = ['sessionId'];

const caller = { sessionId: 'infobip-1', msisdn: '254710000002' };

const toReply = ({ message, closes }: HandsetReply) => ({
  // A menu is shown only with exit code 200, so the text for a failed hop has it too.
  body: { ussdMenu: message, shouldClose: closes, responseExitCode: 200, responseMessage: '' },
});

/** Infobip sends each input separately, to a separate address for each event of a session. It uses POST and PUT. */
export const infobip: MakeAggregator = (rules) => ({
  id: 'infobip',
  text: 'latest',
  endpoints: (['POST', 'PUT'] as const).flatMap((method): Endpoint[] => [
    defineEndpoint({
      method,
      path: `${path}/start`,
      summary: 'The start of a session, as Infobip sends it',
      wire: hopOf(rules),
      example: { ...caller, text: '*384#', shortCode: '384' },
      inPath,
      reply: { type: 'application/json', schema: infobipReply },
      toRequest: ({ sessionId, msisdn: phoneNumber, text, shortCode }) => {
        const dialled = readDialled(text ?? '', shortCode ?? undefined, rules.codes);
        return { kind: 'hop', sessionId, phoneNumber, ...dialled, press: { dials: true } };
      },
      toReply,
    }),
    defineEndpoint({
      method,
      path: `${path}/response`,
      summary: 'One input, as Infobip sends it',
      wire: hopOf(rules),
      example: { ...caller, text: '1', shortCode: '384' },
      inPath,
      reply: { type: 'application/json', schema: infobipReply },
      toRequest: ({ sessionId, msisdn: phoneNumber, text, shortCode }) => {
        const input = { serviceCode: shortCode ?? '', text: text ?? '' };
        return { kind: 'hop', sessionId, phoneNumber, ...input, press: { dials: false } };
      },
      toReply,
    }),
    defineEndpoint({
      method,
      path: `${path}/end`,
      summary: 'The end of a session, as Infobip sends it',
      wire: endOfSession,
      example: caller,
      inPath,
      reply: { type: 'application/json', schema: infobipEndReply },
      toRequest: ({ sessionId, msisdn }) => ({ kind: 'close', sessionId, phoneNumber: msisdn ?? undefined }),
      toReply: ({ failure = 200 }) => ({
        body: { responseExitCode: failure, responseMessage: failure === 200 ? '' : 'Not accepted' },
      }),
    }),
  ]),
});
