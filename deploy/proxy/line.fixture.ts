import { ussdFixedReplies } from '@mlango/schemas/ussd';
import type { Line } from '../../services/ussd-gateway/test/model/subscriber.js';
import { ask, type RunningProxy } from './doors.fixture.js';

/** The connection of subscribers to the gateways behind a proxy; rejects if a request is abandoned. */
export function lineTo(proxy: RunningProxy): Line {
  return {
    nowMs: Date.now,
    send: async (caller, text) => {
      const body = JSON.stringify({ ...caller, serviceCode: '*384#', text });
      const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
      const reply = await ask(proxy, 'ussd', '/api/ussd', { method: 'POST', headers, body });
      if (reply.status !== 200 || reply.body === ussdFixedReplies.unavailable) {
        const who = reply.headers['x-request-id'] === undefined ? 'the proxy' : 'a replica';
        throw new Error(`${who} gave a caller up, ${reply.status}: ${reply.body}\n${proxy.log().slice(-2000)}`);
      }
      return reply.body;
    },
  };
}
