import { aggregatorFields as fields } from '@mlango/schemas/ussd-aggregators';
import { z } from 'zod';
import { networkName } from '../../engine/caller-facts.js';
import { type AggregatorRules, defineEndpoint, type MakeAggregator } from '../adapter.js';
import { readDialled } from '../dialled.js';

/** Hubtel's name of a service in its app, mall and points of sale: 32 hex digits, dashes allowed. */
const serviceId = fields.word
  .transform((id) => id.replaceAll('-', '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{32}$/));

const hopOf = (rules: AggregatorRules) =>
  z
    .object({
      SessionId: fields.sessionId,
      Mobile: fields.msisdn,
      Type: z
        .string()
        .toLowerCase()
        .pipe(z.enum(['initiation', 'response', 'release', 'timeout'])),
      ServiceCode: z
        .union([serviceId, fields.serviceCode(rules.serviceCodeLevels)])
        .nullish()
        .describe('The service code; from the app, the mall and points of sale a service id of 32 hex digits'),
      Message: fields.input.nullish().describe('The last input; the dialled code on Initiation'),
      Sequence: fields.sequence.nullish(),
      Operator: fields.network,
    })
    .describe('One hop from Hubtel; `Message` is the last input');

/** `Type` Release or Timeout. Other fields are not used. */
const endOfSession = z.object({
  SessionId: fields.sessionId,
  Mobile: fields.msisdn,
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
      wire: hopOf(rules),
      example: {
        SessionId: 'hubtel-1',
        Mobile: '233200585543',
        Type: 'Initiation',
        ServiceCode: '*384#',
        Message: '*384#',
        Sequence: '1',
      },
      reply: { type: 'application/json', schema: hubtelReply },
      end: (sent) => {
        const { data } = endOfSession.safeParse(sent);
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
