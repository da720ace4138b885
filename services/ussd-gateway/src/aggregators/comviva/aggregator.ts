import { comvivaEnd, comvivaRequest } from '@mlango/schemas/ussd-aggregators';
import { z } from 'zod';
import type { MakeAggregator } from '../aggregator.js';
import { looksDialled, readDialled, readPossibleDial } from '../dialled.js';
import { door } from '../door.js';

/** The pull interface of Comviva's gateway, as Airtel runs it: a GET for each input, the flow named in a header. */
export const comviva: MakeAggregator = ({ codes }) => ({
  id: 'comviva',
  text: 'latest',
  doors: [
    door({
      method: 'GET',
      path: '/api/ussd/comviva',
      summary: 'One hop, as Comviva pulls it, or the end of a session',
      wire: comvivaRequest,
      example: { SessionID: 'comviva-1', MSISDN: '254730000001', input: '*384#' },
      reply: { type: 'text/plain', schema: z.string().describe('The screen; `Freeflow: FC` waits, `FB` closes') },
      end: (fields) => {
        const { data } = comvivaEnd.safeParse(fields);
        return data && { kind: 'close', sessionId: data.SessionID, phoneNumber: data.MSISDN };
      },
      ask: ({ SessionID: sessionId, MSISDN: phoneNumber, input: typed }) => {
        const hop = { kind: 'hop', sessionId, phoneNumber } as const;
        // No entry of a menu has this form.
        if (looksDialled(typed)) return { ...hop, ...readDialled(typed, undefined, codes), press: { dials: true } };
        // Airtel sends the code without * and #, so the session decides whether this is a dial.
        const press = { dials: false, mayDial: readPossibleDial(typed, codes) };
        return { ...hop, serviceCode: '', text: typed, press };
      },
      say: ({ message, closes }) => ({
        body: message,
        headers: { freeflow: closes ? 'FB' : 'FC', 'cache-control': 'no-store' },
      }),
    }),
  ],
});
