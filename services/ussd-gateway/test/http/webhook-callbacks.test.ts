import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signingKey, signMessage } from '../../src/connectors/webhook/message-signature.js';
import { webhookOperation } from '../../src/connectors/webhook/webhook-operation.js';
import { openWebhookServer, type WebhookServer } from '../../src/connectors/webhook/webhook-server.fixture.js';
import { secret } from '../../src/connectors/webhook/webhooks.fixture.js';
import type { EntryScreen, Flow } from '../../src/engine/flow.js';
import { payFlow } from '../effects/pay-flow.js';
import { openTestApp, sendHop } from '../support/test-app.js';

const gives = { paid: { reference: 20 }, refused: {} };
const pay = webhookOperation({ webhook: 'money', is: 'act', sends: ['amount'], gives }, 'pay');
const amount = payFlow.screens['amount'] as EntryScreen;
const results = {
  paid: { to: 'receipt' },
  refused: { to: 'menu', reason: 'refused' },
  unanswered: { to: 'menu', reason: 'refused' },
};
const flow: Flow = {
  ...payFlow,
  operations: { pay },
  screens: { ...payFlow.screens, amount: { ...amount, entry: { ...amount.entry, next: { effect: 'pay', results } } } },
};
const working = 'CON We are working on it.\n1. Check again\n0. Back';
const receipt = 'END Paid 250. Reference R-1';
const key = signingKey(secret) ?? Buffer.alloc(0);

describe('a callback of a webhook', () => {
  let server: WebhookServer;
  let app: HttpApp;
  let intent: string;
  const log: string[] = [];

  beforeEach(async () => {
    server = await openWebhookServer();
    const money = { url: server.url, secret, private: true };
    const env = { WEBHOOKS: JSON.stringify({ money, other: money }) };
    log.length = 0;
    app = await openTestApp({ flow, env, log: (line) => log.push(line) });
    for (const text of ['', '1']) await sendHop(app, text);
    expect((await sendHop(app, '1*250')).text).toBe(working);
    // A busy process answers the hop at its deadline, before the call arrives.
    await expect.poll(() => server.received.length).toBeGreaterThan(0);
    intent = JSON.parse(server.received[0]?.body ?? '').intent;
  });
  afterEach(async () => {
    await app.close();
    await server.close();
  });

  interface Sent {
    readonly body?: string;
    readonly change?: Record<string, string>;
    readonly atMs?: number;
    readonly to?: string;
  }
  const call = (report: object, { body, change = {}, atMs = Date.now(), to = 'money' }: Sent = {}) => {
    const text = JSON.stringify({ intent, ...report });
    const headers = { 'content-type': 'application/json', ...signMessage([key], 'message-1', atMs, text), ...change };
    return app.inject({ method: 'POST', url: `/api/ussd/callbacks/${to}`, headers, payload: body ?? text });
  };
  const paid = { status: 'done', outcome: 'paid', facts: { reference: 'R-1' } };
  const metrics = async () => (await app.inject('/metrics')).body;

  it('stores the outcome, which the phone then shows', async () => {
    expect((await call({ status: 'pending' })).json()).toEqual({ result: 'pending' });
    expect((await sendHop(app, '1*250*1')).text).toBe(working);
    const report = await call(paid);
    expect({ status: report.statusCode, body: report.json() }).toEqual({ status: 200, body: { result: 'taken' } });
    const calls = server.received.length;
    expect((await sendHop(app, '1*250*1*1')).text).toBe(receipt);
    expect(server.received).toHaveLength(calls);
    expect(await metrics()).toMatch(/ussd_webhook_callbacks_total\{webhook="money",result="taken",service="test"\} 1/);
  });

  it('may be repeated; a different one changes nothing, and is logged and counted', async () => {
    await call(paid);
    expect((await call(paid)).json()).toEqual({ result: 'repeated' });
    expect((await call({ status: 'refused', outcome: 'refused' })).json()).toEqual({ result: 'contradictory' });
    expect((await call({ ...paid, facts: { reference: 'R-2' } })).json()).toEqual({ result: 'contradictory' });
    expect((await sendHop(app, '1*250*1')).text).toBe(receipt);
    expect(log.filter((line) => line.includes('contradicts the stored one'))).toHaveLength(2);
    expect(await metrics()).toMatch(/callbacks_total\{webhook="money",result="contradictory",service="test"\} 2/);
  });

  it.each([
    ['null as facts', { ...paid, facts: null }],
    ['null as a declared fact', { ...paid, facts: { reference: null } }],
    ['an object as a declared fact', { ...paid, facts: { reference: {} } }],
    ['a list as facts', { ...paid, facts: ['R-1'] }],
    ['undeclared facts', { ...paid, facts: { other: { a: [1] }, reference: 'R-1' } }],
    ['an invalid polling time', { ...paid, askAgainSeconds: null }],
  ])('stays definite with %s', async (_what, report) => {
    expect((await call(report)).json()).toEqual({ result: 'taken' });
    expect((await sendHop(app, '1*250*1')).text).toMatch(/^END Paid 250\. Reference (R-1|-)$/);
  });

  it('refused with a null outcome is a refusal', async () => {
    expect((await call({ status: 'refused', outcome: null })).json()).toEqual({ result: 'taken' });
    expect((await call({ status: 'refused' })).json()).toEqual({ result: 'repeated' });
    expect((await call(paid)).json()).toEqual({ result: 'contradictory' });
  });

  it('is read with a byte order mark, and as plain text', async () => {
    const text = `\uFEFF${JSON.stringify({ intent, ...paid })}`;
    const signed = {
      ...signMessage([key], 'message-1', Date.now(), text),
      'content-type': 'Text/Plain; charset=UTF-8',
    };
    expect((await call(paid, { body: text, change: signed })).json()).toEqual({ result: 'taken' });
  });

  it('without a fact, or with a missing one, is no contradiction', async () => {
    await call({ ...paid, facts: { reference: null } });
    expect((await call(paid)).json()).toEqual({ result: 'repeated' });
    expect((await call({ ...paid, facts: null })).json()).toEqual({ result: 'repeated' });
    expect(log.join('')).not.toContain('contradicts');
  });

  it('that contradicts the outcome is shown to the operator, without the facts', async () => {
    await call(paid);
    await call({ status: 'refused' });
    const { outcomes } = (await app.inject('/api/ussd/analytics/outcomes')).json();
    const endedAt = expect.any(String);
    expect(outcomes).toEqual([{ intent, webhook: 'money', endedAt, result: 'paid', contradictions: ['refused'] }]);
  });

  const hourMs = 3_600_000;
  it.each<[string, Sent]>([
    ['a body other than the signed one', { body: '{"intent":"x"}' }],
    ['another id', { change: { 'webhook-id': 'message-2' } }],
    ['another time', { change: { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) } }],
    ['an old time', { atMs: Date.now() - hourMs }],
    ['a future time', { atMs: Date.now() + hourMs }],
    ['no signature', { change: { 'webhook-signature': '' } }],
    [
      'the signature of another key',
      { change: signMessage([Buffer.alloc(24, 1)], 'message-1', Date.now(), '{}') as never },
    ],
  ])('with %s is refused, and changes nothing', async (_what, sent) => {
    expect((await call(paid, sent)).statusCode).toBe(401);
    expect((await sendHop(app, '1*250*1')).text).toBe(working);
  });

  it('is accepted with one right signature among several, as during key rotation', async () => {
    const text = JSON.stringify({ intent, ...paid });
    const both = signMessage([Buffer.alloc(24, 1), key], 'message-1', Date.now(), text);
    expect((await call(paid, { change: { ...both } })).json()).toEqual({ result: 'taken' });
  });

  it('of an unknown intent or webhook, or of the intent of another webhook, is not found', async () => {
    expect((await call({ ...paid, intent: 'nobody' })).statusCode).toBe(404);
    expect((await call(paid, { to: 'nobody' })).statusCode).toBe(404);
    expect((await call(paid, { to: 'other' })).statusCode).toBe(404);
    const none = await openTestApp({ flow });
    expect((await none.inject({ method: 'POST', url: '/api/ussd/callbacks/money', payload: {} })).statusCode).toBe(404);
    await none.close();
  });

  it.each([{ status: 'done', outcome: 'won' }, { status: 'over' }, { status: 'done', outcome: 'paid', intent: 7 }])(
    'that is unusable is refused: %j',
    async (report) => {
      expect((await call(report)).statusCode).toBe(400);
      expect((await sendHop(app, '1*250*1')).text).toBe(working);
    },
  );

  it('is awaited by an act without another answer, and readiness does not wait', async () => {
    await server.close();
    expect((await sendHop(app, '1*250*1')).text).toBe(working);
    expect((await app.inject('/health/ready')).statusCode).toBe(200);
    expect(await metrics()).toMatch(/ussd_effects_under_way\{kind="act",scope="fleet",service="test"\} 1/);
    expect((await call(paid)).json()).toEqual({ result: 'taken' });
    expect((await sendHop(app, '1*250*1*1')).text).toBe(receipt);
    server = await openWebhookServer();
  });

  it('that is too long, or not JSON, is not read', async () => {
    expect((await call({ ...paid, pad: 'x'.repeat(30_000) })).statusCode).toBe(413);
    expect((await call(paid, { change: { 'content-type': 'application/xml' } })).statusCode).toBe(415);
  });
});
