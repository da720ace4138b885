import { hubtelEnd, hubtelReply, hubtelRequest } from '@mlango/schemas/ussd-aggregators';
import { networkName } from '../../engine/caller-facts.js';
import type { MakeAggregator } from '../adapter.js';
import { readDialled } from '../dialled.js';
import { defineEndpoint } from '../endpoint.js';

/**
 * Hubtel sends each input separately and numbers its requests; it also reports that the user left or the network ended
 * the session. Its app, mall and points of sale send an empty message and a service id instead of a code.
 */
export const hubtel: MakeAggregator = (rules) => ({
  id: 'hubtel',
  text: 'latest',
  endpoints: [
    defineEndpoint({
      method: 'POST',
      path: '/api/ussd/hubtel',
      summary: 'One hop, as Hubtel posts it',
      wire: hubtelRequest(rules),
      example: {
        ...{ SessionId: 'hubtel-1', Mobile: '233200585543', Type: 'Initiation' },
        ...{ ServiceCode: '*384#', Message: '*384#', Sequence: '1' },
      },
      reply: { type: 'application/json', schema: hubtelReply },
      end: (fields) => {
        const { data } = hubtelEnd.safeParse(fields);
        return data && { kind: 'close', sessionId: data.SessionId, phoneNumber: data.Mobile };
      },
      toRequest: ({ SessionId: sessionId, Mobile: phoneNumber, Type: type, ...hop }) => {
        const dials = type === 'initiation';
        const message = hop.Message ?? '';
        const named = hop.ServiceCode ?? undefined;
        const code = named === undefined || named.startsWith('*') ? named : rules.codeOfService(named);
        const { serviceCode, text } = dials
          ? readDialled(message, code, rules.codes)
          : { serviceCode: code ?? '', text: message };
        const { Sequence: delivery } = hop;
        const press = typeof delivery === 'string' ? { dials, delivery } : { dials };
        return { kind: 'hop', sessionId, phoneNumber, serviceCode, text, press, network: networkName(hop.Operator) };
      },
      toReply: ({ message, closes }, echo) => ({
        body: {
          SessionId: echo('SessionId'),
          Type: closes ? 'release' : 'response',
          Message: message,
          Label: message.split('\n', 1)[0] ?? '',
          DataType: closes ? 'display' : 'input',
          FieldType: 'text',
          ClientState: '',
        },
      }),
    }),
  ],
});
