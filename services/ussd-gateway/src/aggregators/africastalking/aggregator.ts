import { ussdReply } from '@mlango/schemas/ussd';
import { aggregatorFields as fields } from '@mlango/schemas/ussd-aggregators';
import { z } from 'zod';
import { networkName } from '../../engine/caller-facts.js';
import { type AggregatorRules, defineEndpoint, type MakeAggregator, textReply } from '../adapter.js';

const hopOf = (rules: AggregatorRules) =>
  z
    .object({
      sessionId: fields.sessionId,
      serviceCode: fields.serviceCode(rules.serviceCodeLevels),
      phoneNumber: fields.msisdn,
      text: fields.accumulated,
      networkCode: fields.network,
    })
    .describe("One hop from Africa's Talking; `text` accumulates");

/** Sent once a session is over, however it ended. */
const endOfSession = z
  .object({
    sessionId: fields.sessionId,
    phoneNumber: fields.msisdn,
    status: z.unknown().optional().meta({ example: 'Incomplete' }),
  })
  .describe("The end of a session, reported by Africa's Talking");

const path = '/api/ussd/africastalking';

/** Africa's Talking posts forms, and reports the end of a session to a separate address. */
export const africastalking: MakeAggregator = (rules) => ({
  id: 'africastalking',
  text: 'accumulated',
  endpoints: [
    defineEndpoint({
      method: 'POST',
      path,
      summary: "One hop, as Africa's Talking posts it",
      wire: hopOf(rules),
      example: { sessionId: 'ATUid_7f3b', serviceCode: '*384#', phoneNumber: '+254710000001', text: '' },
      form: true,
      reply: { type: 'text/plain', schema: ussdReply },
      toRequest: ({ networkCode, ...hop }) => ({ kind: 'hop', ...hop, network: networkName(networkCode) }),
      toReply: textReply,
    }),
    defineEndpoint({
      method: 'POST',
      path: `${path}/events`,
      summary: "The end of a session, as Africa's Talking posts it",
      wire: endOfSession,
      example: { sessionId: 'ATUid_7f3b', phoneNumber: '+254710000001', status: 'Incomplete' },
      form: true,
      reply: { type: 'text/plain', schema: z.enum(['OK', 'Not accepted']) },
      toRequest: ({ sessionId, phoneNumber }) => ({ kind: 'close', sessionId, phoneNumber }),
      toReply: ({ failure }) => ({ body: failure === undefined ? 'OK' : 'Not accepted' }),
    }),
  ],
});
