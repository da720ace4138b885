import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProcess, providersAt } from '../../src/connectors/message/messages.fixture.js';
import { reportsPath } from '../../src/connectors/message/messages-settings.js';
import { openWebhookServer, type WebhookServer } from '../../src/connectors/webhook/webhook-server.fixture.js';
import { EffectStore } from '../../src/effects/effect-store.js';
import { emptyDatabase } from '../support/embedded-database.js';
import { openTestApp } from '../support/test-app.js';

const reportsSecret = 'a secret of these reports';
const form = 'application/x-www-form-urlencoded';

describe('a delivery report', () => {
  let server: WebhookServer;
  let providers: ReturnType<typeof providersAt>;
  let app: HttpApp;
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let effectStore: EffectStore;
  const lines: string[] = [];
  beforeEach(async () => {
    server = await openWebhookServer();
    providers = providersAt(server.url);
    database = await emptyDatabase();
    effectStore = new EffectStore(database);
    lines.length = 0;
  });
  afterEach(async () => {
    await app.close();
    await providers.close();
    await server.close();
  });

  const open = async (provider: 'africastalking' | 'infobip', MESSAGES: object) => {
    app = await openTestApp({
      database,
      env: { MESSAGES: JSON.stringify({ provider, ...MESSAGES }) },
      log: (line) => lines.push(line),
    });
    const sending = openProcess(providers[provider], effectStore, { hasReports: true });
    await sending.ask('a');
    await sending.work();
    return sending;
  };
  const report = (payload: string, type: string, secret = reportsSecret) =>
    app.inject({
      method: 'POST',
      url: `${reportsPath}?secret=${encodeURIComponent(secret)}`,
      headers: { 'content-type': type },
      payload,
    });

  it("of Africa's Talking ends the message it names, once", async () => {
    const Recipients = [{ statusCode: 101, messageId: 'ATXid_7' }];
    server.answer = () => ({ status: 201, text: JSON.stringify({ SMSMessageData: { Recipients } }) });
    const settings = { username: 'shop', apiKey: 'an api key of theirs', reportsSecret };
    const { resultOf } = await open('africastalking', settings);
    const delivery = (status: string, id = 'ATXid_7') =>
      `id=${id}&status=${status}&phoneNumber=%2B260971230567&networkCode=64501`;
    expect((await report(delivery('Success'), form, 'a guess of a secret')).statusCode).toBe(401);
    for (const status of ['Sent', 'Submitted', 'Dreamt'])
      expect((await report(delivery(status), form)).statusCode).toBe(200);
    expect(await resultOf('a')).toBeUndefined();
    for (const _ of [1, 2]) expect((await report(delivery('Success'), form)).json()).toEqual({ result: 'taken' });
    expect((await report(delivery('Failed'), form)).statusCode).toBe(200);
    expect(await resultOf('a')).toBe('delivered');
    expect((await report(delivery('Success', 'ATXid_8'), form)).statusCode).toBe(404);
    expect((await report('nothing', form)).statusCode).toBe(400);
    expect((await report('x'.repeat(200_000), form)).statusCode).toBe(413);
    expect((await app.inject('/metrics')).body).toMatch(/ussd_messages_total\{result="delivered",service="test"\} 1/);
    expect(lines.join('')).not.toMatch(/260971230567|a secret of these|a%20secret/);
  });

  it('of Infobip ends those with our reference, and ignores others', async () => {
    const message = (messageId: string, groupId: number) => ({ messageId, status: { groupId } });
    server.answer = () => ({ text: JSON.stringify({ messages: [message('a.message', 1)] }) });
    const settings = { url: 'https://x.api.infobip.com', from: 'Shop', apiKey: 'an api key of theirs', reportsSecret };
    const { resultOf } = await open('infobip', settings);
    const results = [message('of-somebody-else', 3), message('a.message', 2)];
    expect((await report(JSON.stringify({ results }), 'application/json')).json()).toEqual({ result: 'taken' });
    expect(await resultOf('a')).toBe('undelivered');
    expect((await report(JSON.stringify({ results: results.slice(0, 1) }), 'application/json')).statusCode).toBe(404);
    expect((await report('{"results":"all"}', 'application/json')).statusCode).toBe(400);
  });

  it('has no endpoint if reports are not configured', async () => {
    server.answer = () => ({ status: 429, text: '' });
    await open('africastalking', { username: 'shop', apiKey: 'an api key of theirs' });
    expect((await report('id=1&status=Success', form)).statusCode).toBe(404);
  });
});
