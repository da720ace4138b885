import { comvivaRequest } from '@mlango/schemas/ussd-aggregators';
import { z } from 'zod';
import type { MakeAggregator } from '../aggregator.js';
import { looksDialled, readDialled } from '../dialled.js';
import { door } from '../door.js';

/** The pull interface of Comviva's gateway, as Airtel runs it: a GET for each input, the flow named in a header. */
export const comviva: MakeAggregator = () => ({
  id: 'comviva',
  text: 'latest',
  doors: [
    door({
      method: 'GET',
      path: '/api/ussd/comviva',
      summary: 'One hop, as Comviva pulls it',
      wire: comvivaRequest,
      example: { SessionID: 'comviva-1', MSISDN: '254730000001', input: '*384#' },
      reply: { type: 'text/plain', schema: z.string().describe('The screen; `Freeflow: FC` waits, `FB` closes') },
      ask: ({ SessionID: sessionId, MSISDN: phoneNumber, input: typed }) => {
        // Nothing says which request begins a session, but what was dialled has a form no entry of a menu has.
        const dials = typed === '' || looksDialled(typed);
        const input = dials ? readDialled(typed, undefined) : { serviceCode: '', text: typed };
        return { kind: 'hop', sessionId, phoneNumber, ...input, press: { dials, mayDial: true } };
      },
      say: ({ message, closes }) => ({
        body: message,
        headers: { freeflow: closes ? 'FB' : 'FC', 'cache-control': 'no-store' },
      }),
    }),
  ],
});
