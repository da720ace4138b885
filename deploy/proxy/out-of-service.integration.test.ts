import { ussdFixedReplies } from '@mlango/schemas/ussd';
import { freePort } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubtelReply } from '../../services/ussd-gateway/src/aggregators/hubtel/aggregator.js';
import { infobipEndReply, infobipReply } from '../../services/ussd-gateway/src/aggregators/infobip/aggregator.js';
import { type AggregatorId, aggregatorLines } from '../../services/ussd-gateway/test/support/aggregator-lines.js';
import {
  arkeselReply,
  korbaReply,
  moolreReply,
  naloReply,
} from '../../services/ussd-gateway/test/support/documented-replies.js';
import { ask, type RunningProxy, type Upstreams } from './doors.fixture.js';
import { proxies } from './proxies.fixture.js';

const end = ussdFixedReplies.unavailable;
const message = end.slice('END '.length);
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** A request of an aggregator, and the reply if no replica is available. */
const texts = [
  ['canonical', '/api/ussd', json, '{"sessionId":"s","phoneNumber":"+260971230567","text":""}', end],
  ["Africa's Talking", '/api/ussd/africastalking?secret=x', form, 'sessionId=s&text=', end],
  ["an event of Africa's Talking", '/api/ussd/africastalking/events', form, 'sessionId=s', 'Not accepted'],
  ['an event with a slash behind its path', '/api/ussd/africastalking/events/', form, 'sessionId=s', 'Not accepted'],
] as const;

const hubtel = { Type: 'release', Message: message, Label: message, DataType: 'display', FieldType: 'text' };
const objects = [
  {
    name: 'Hubtel',
    path: '/api/ussd/hubtel?secret=x',
    sent: { Type: 'Response', SessionId: 's-1', Mobile: '233200585542', Message: '1' },
    reply: hubtelReply,
    told: { ...hubtel, SessionId: 's-1', ClientState: '' },
  },
  {
    name: 'Hubtel, which numbers its sessions',
    path: '/api/ussd/hubtel/',
    sent: { SESSIONID: 17, Mobile: '233200585542' },
    reply: hubtelReply,
    told: { ...hubtel, SessionId: '17', ClientState: '' },
  },
  {
    name: 'Arkesel',
    path: '/api/ussd/arkesel/?secret=x',
    sent: { sessionID: 's-2', userID: 'TEST', newSession: false, msisdn: '233544919953', userData: '1' },
    reply: arkeselReply,
    told: { sessionID: 's-2', userID: 'TEST', msisdn: '233544919953', message, continueSession: false },
  },
  {
    name: 'Nalo',
    path: '/api/ussd/nalo',
    sent: { USERID: 'TEST', MSISDN: '233265542141', USERDATA: '1*2#', MSGTYPE: false },
    reply: naloReply,
    told: { USERID: 'TEST', MSISDN: '233265542141', USERDATA: '1*2#', MSG: message, MSGTYPE: false },
  },
  {
    name: 'Nalo, of what needs unescaping or might be taken for a placeholder',
    path: '/api/ussd/nalo/',
    sent: { USERID: '{env.HOME}$sent_user', MSISDN: 'a"b', USERDATA: 'Ngũgĩ\n' },
    reply: naloReply,
    told: { MSISDN: '', USERDATA: '', MSG: message, MSGTYPE: false },
  },
  {
    name: 'Moolre',
    path: '/api/ussd/moolre',
    sent: { sessionid: 's-4', new: false, msisdn: '233544919953', message: '1', extension: 109 },
    reply: moolreReply,
    told: { message, reply: false },
  },
  {
    name: 'Korba',
    path: '/api/ussd/korba/?secret=x',
    sent: { sessionID: 's-5', msisdn: '233544919953', ussdString: '1', ussdServiceOp: 18 },
    reply: korbaReply,
    told: { message, ussdServiceOp: 17 },
  },
  {
    name: 'Infobip',
    path: '/api/ussd/infobip/session/a%2Fb/response',
    sent: { msisdn: '385998779111', text: '1' },
    reply: infobipReply,
    told: { ussdMenu: message, shouldClose: true, responseExitCode: 200, responseMessage: '' },
  },
  {
    name: 'Infobip, at the end of a session',
    path: '/api/ussd/infobip/session/s-3/end/',
    sent: { msisdn: '385998779111' },
    reply: infobipEndReply,
    told: { responseExitCode: 503, responseMessage: 'Not accepted' },
  },
];

for (const { name, program, start } of proxies) {
  describe.skipIf(program === undefined)(`the ${name} configuration without any replica`, { concurrent: true }, () => {
    let proxy: RunningProxy;
    beforeAll(async () => {
      proxy = await start(program ?? name, await nobody());
    });
    afterAll(() => proxy?.stop());

    it.each(Object.keys(aggregatorLines) as AggregatorId[])('ends the call of %s with a text', async (id) => {
      const typed = { sessionId: 's-9', phoneNumber: '+260971234567', dials: false, input: '1', text: '1', count: 1 };
      const { request, read } = aggregatorLines[id];
      const { url, ...sent } = request(typed);
      const reply = await ask(proxy, 'ussd', url, sent);
      expect(read(reply.body, String(reply.headers['freeflow']))).toEqual({ message, closes: true });
    });

    it.each(texts)("answers %s in the aggregator's format", async (_name, path, headers, body, told) => {
      const reply = await ask(proxy, 'ussd', path, { method: 'POST', headers, body });
      expect(reply).toMatchObject({ status: 200, body: told });
      expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    });

    it.each(objects)('answers $name in its own format', async ({ path, sent, reply: form, told }) => {
      const body = JSON.stringify(sent);
      const reply = await ask(proxy, 'ussd', path, { method: 'POST', headers: json, body });
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(form.strict().parse(JSON.parse(reply.body))).toMatchObject(told);
      expect(reply.body).not.toContain(process.env['HOME'] ?? 'no home');
    });

    it('answers a webhook that its callback was not accepted', async () => {
      const body = '{"intent":"i","status":"done"}';
      const reply = await ask(proxy, 'ussd', '/api/ussd/callbacks/money', { method: 'POST', headers: json, body });
      expect(reply.status).toBeGreaterThanOrEqual(502);
      expect(reply.body).not.toContain(message);
    });

    it('answers Comviva in its own format, which ends a session by a header', async () => {
      const reply = await ask(proxy, 'ussd', '/api/ussd/comviva?SessionID=s&MSISDN=260971234567&input=1');
      expect(reply).toMatchObject({ status: 200, body: message });
      expect(reply.headers).toMatchObject({ freeflow: 'FB', 'content-type': 'text/plain; charset=utf-8' });
    });
  });
}

/** Addresses without a listener. */
async function nobody(): Promise<Upstreams> {
  const both = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`] as const;
  return { ussd: both, oracle: both, chain: both, playground: both };
}
