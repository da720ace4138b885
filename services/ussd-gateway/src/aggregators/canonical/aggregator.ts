import { ussdReply, ussdRequestSchema } from '@mlango/schemas/ussd';
import { aggregatorFields } from '@mlango/schemas/ussd-aggregators';
import { networkName } from '../../engine/caller-facts.js';
import { defineEndpoint, type MakeAggregator, textReply } from '../adapter.js';

/** The gateway's own JSON. Accumulating text is detected by comparison, unless configured. */
export const canonical: MakeAggregator = (rules) => ({
  id: 'canonical',
  text: 'configured',
  endpoints: [
    defineEndpoint({
      method: 'POST',
      path: '/api/ussd',
      summary: 'One hop of a USSD session',
      wire: ussdRequestSchema(rules).extend({ networkCode: aggregatorFields.network }),
      example: { sessionId: 'ATUid_7f3a', serviceCode: '*384#', phoneNumber: '+260971230567', text: '' },
      strict: true,
      reply: { type: 'text/plain', schema: ussdReply },
      toRequest: ({ networkCode, ...hop }) => ({ kind: 'hop', ...hop, network: networkName(networkCode) }),
      toReply: textReply,
    }),
  ],
});
