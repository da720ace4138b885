import { naloReply, naloRequest } from '@mlango/schemas/ussd-aggregators';
import { networkName } from '../../engine/caller-facts.js';
import type { MakeAggregator } from '../aggregator.js';
import { readDialled } from '../dialled.js';
import { door } from '../door.js';

/** Nalo sends each input alone; where it gives no session id, a subscriber has one session at a time. */
export const nalo: MakeAggregator = ({ codes, nameSession }) => ({
  id: 'nalo',
  text: 'latest',
  doors: [
    door({
      method: 'POST',
      path: '/api/ussd/nalo',
      summary: 'One hop, as Nalo posts it',
      wire: naloRequest,
      example: { USERID: 'MLANGO', MSISDN: '233200585544', USERDATA: '*384#', MSGTYPE: true, SESSIONID: 'nalo-1' },
      reply: { type: 'application/json', schema: naloReply },
      ask: ({ USERID, MSISDN: phoneNumber, MSGTYPE: dials, SESSIONID, ...sent }) => {
        const userData = sent.USERDATA ?? '';
        const sessionId = SESSIONID || nameSession('nalo', phoneNumber, USERID);
        const input = dials ? readDialled(userData, undefined, codes) : { serviceCode: '', text: userData };
        return { kind: 'hop', sessionId, phoneNumber, ...input, press: { dials }, network: networkName(sent.NETWORK) };
      },
      say: ({ message, closes }, echo) => ({
        body: {
          USERID: echo('USERID'),
          MSISDN: echo('MSISDN'),
          USERDATA: echo('USERDATA'),
          MSG: message,
          MSGTYPE: !closes,
        },
      }),
    }),
  ],
});
