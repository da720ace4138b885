import { arkeselReply, arkeselRequest } from '@mlango/schemas/ussd-aggregators';
import type { MakeAggregator } from '../aggregator.js';
import { readDialled } from '../dialled.js';
import { door } from '../door.js';

/** Arkesel sends each input alone, and says which request begins a session. */
export const arkesel: MakeAggregator = () => ({
  id: 'arkesel',
  text: 'latest',
  doors: [
    door({
      method: 'POST',
      path: '/api/ussd/arkesel',
      summary: 'One hop, as Arkesel posts it',
      wire: arkeselRequest,
      example: { sessionID: 'ark-1', userID: 'MLANGO', newSession: true, msisdn: '233200585542', userData: '*384#' },
      reply: { type: 'application/json', schema: arkeselReply },
      ask: ({ sessionID: sessionId, msisdn: phoneNumber, newSession: dials, userData }) => {
        const input = dials ? readDialled(userData, undefined) : { serviceCode: '', text: userData };
        return { kind: 'hop', sessionId, phoneNumber, ...input, press: { dials } };
      },
      say: ({ message, closes }, echo) => ({
        body: {
          sessionID: echo('sessionID'),
          userID: echo('userID'),
          msisdn: echo('msisdn'),
          message,
          continueSession: !closes,
        },
      }),
    }),
  ],
});
