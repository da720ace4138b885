import { arkeselReply, arkeselRequest } from '@mlango/schemas/ussd-aggregators';
import { networkName } from '../../engine/caller-facts.js';
import type { MakeAggregator } from '../aggregator.js';
import { readDialled } from '../dialled.js';
import { door } from '../door.js';

/** Arkesel sends each input alone and marks the request that begins a session. Without a session id a subscriber has one session at a time. */
export const arkesel: MakeAggregator = ({ codes, nameSession }) => ({
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
      ask: ({ sessionID, msisdn: phoneNumber, newSession: dials, ...sent }) => {
        const userData = sent.userData ?? '';
        const sessionId = sessionID || nameSession('arkesel', phoneNumber, sent.userID ?? '');
        const input = dials ? readDialled(userData, undefined, codes) : { serviceCode: '', text: userData };
        return { kind: 'hop', sessionId, phoneNumber, ...input, press: { dials }, network: networkName(sent.network) };
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
