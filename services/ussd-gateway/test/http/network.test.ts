import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWebhookServer } from '../../src/connectors/webhook/webhook-server.fixture.js';
import { secret } from '../../src/connectors/webhook/webhooks.fixture.js';
import { loadTenants } from '../../src/tenants/read-tenants.js';
import { call } from '../support/aggregator-calls.js';
import { freshFolder } from '../support/fresh-folder.js';
import { openTestApp, subscriber } from '../support/test-app.js';

const flow = `
version: 1
start: main
exit: bye
defaultLanguage: en
operations:
  offers: { connector: webhook, webhook: money, is: question, sends: [network], gives: { found: {} } }
screens:
  main:
    lines:
      - { chosenBy: network, texts: { mtn: { en: Yello }, 63902: { en: Karibu }, unknown: { en: Hello } } }
      - { en: 'On {network}' }
    options:
      - { key: 1, label: { en: Offers }, do: offers, results: { found: { to: done }, unanswered: { to: done } } }
  done: { lines: [{ en: '{network} again' }], back: main }
  bye: { closes: true, lines: [{ en: Bye }] }
`;
const texts = 'wrongChoice: Wrong\nmore: More\nprevious: Previous\nback: Back\n';

function flowsIn(text: string): string {
  const folder = freshFolder();
  mkdirSync(join(folder, 'default/texts'), { recursive: true });
  writeFileSync(join(folder, 'default/flow.yaml'), text);
  writeFileSync(join(folder, 'default/texts/en.yaml'), texts);
  return folder;
}

async function open(env: Record<string, string> = {}): Promise<HttpApp> {
  const app = await openTestApp({ folder: flowsIn(flow), env });
  onTestFinished(() => app.close());
  return app;
}

const msisdn = '233200585542';
const dials: readonly [string, string, object, string][] = [
  ['canonical', '/api/ussd', { ...subscriber, text: '', networkCode: '63902' }, 'Karibu\nOn 63902'],
  [
    'hubtel',
    '/api/ussd/hubtel',
    { SessionId: 's', Mobile: msisdn, Type: 'Initiation', Operator: 'mtn' },
    'Yello\nOn mtn',
  ],
  ['arkesel', '/api/ussd/arkesel', { sessionID: 's', newSession: true, msisdn, network: 'MTN' }, 'Yello\nOn MTN'],
  ['nalo', '/api/ussd/nalo', { USERID: 'N', MSISDN: msisdn, MSGTYPE: true, NETWORK: 'GLO' }, 'Hello\nOn GLO'],
  ['moolre', '/api/ussd/moolre', { sessionid: 's', new: true, msisdn, network: 3, message: '' }, 'Yello\nOn MTN'],
  ['moolre', '/api/ussd/moolre', { sessionid: 's', new: true, msisdn, network: 9, message: '' }, 'Hello\nOn 9'],
  [
    'korba',
    '/api/ussd/korba',
    { sessionID: 's', msisdn, ussdServiceOp: 1, network: '01', ussdString: '*1#' },
    'Yello\nOn MTN',
  ],
];

describe("the caller's network", () => {
  it.each(dials)('is printed and selects a line, as %s names it', async (_id, url, json, screen) => {
    const { text } = await call(await open(), { url, json });
    expect(text.replaceAll('\\n', '\n')).toContain(screen);
  });

  it("is read from Africa's Talking", async () => {
    const form = { sessionId: 's', phoneNumber: '+254711000001', serviceCode: '*384#', text: '', networkCode: '63902' };
    expect((await call(await open(), { url: '/api/ussd/africastalking', form })).text).toContain('Karibu\nOn 63902');
  });

  it.each([undefined, null, '', { a: 1 }, '🙂'])('named as %j is unknown', async (networkCode) => {
    const reply = await call(await open(), { url: '/api/ussd', json: { ...subscriber, text: '', networkCode } });
    expect(reply.text).toContain('Hello\nOn unknown');
  });

  it('is known on later hops without it, and to webhooks that receive it', async () => {
    const server = await openWebhookServer();
    onTestFinished(() => server.close());
    server.answer = () => ({ text: '{"status":"done","outcome":"found"}' });
    const app = await open({ WEBHOOKS: JSON.stringify({ money: { url: server.url, secret, private: true } }) });
    await call(app, { url: '/api/ussd', json: { ...subscriber, text: '', networkCode: 'MTN' } });
    const reply = await call(app, { url: '/api/ussd', json: { ...subscriber, text: '1' } });
    expect(reply.text).toContain('MTN again');
    expect(JSON.parse(server.received[0]?.body ?? '{}').entries).toEqual({ network: 'MTN' });
  });

  it('has a text for unknown in every line that it selects, and values in lower case', () => {
    const read = (text: string) => () => loadTenants(flowsIn(text), { appName: 'Mlango' });
    expect(read(flow.replace(', unknown: { en: Hello }', ''))).toThrow('no text for the network "unknown"');
    expect(read(flow.replace('mtn:', 'MTN:'))).toThrow('the network "MTN" must be written in small letters');
  });
});
