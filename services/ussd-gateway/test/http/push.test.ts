import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWebhookServer, type WebhookServer } from '../../src/connectors/webhook/webhook-server.fixture.js';
import { secret } from '../../src/connectors/webhook/webhooks.fixture.js';
import type { Flow } from '../../src/engine/flow.js';
import { payFlow } from '../effects/pay-flow.js';
import { openTestApp } from '../support/test-app.js';

const token = 'token-of-the-operator';
const phoneNumber = '+260971230567';
const done = (outcome: string) => ({ text: JSON.stringify({ status: 'done', outcome }) });
/** Pays, and has a screen for logged-in subscribers. */
const flow: Flow = {
  ...payFlow,
  screens: {
    ...payFlow.screens,
    mine: { kind: 'menu', lines: ['menu'], options: [{ key: '1', to: 'menu' }], navigation: [], authenticated: true },
  },
};

describe('a menu for a phone that has not dialled', () => {
  let server: WebhookServer;
  let app: HttpApp;
  beforeEach(async () => {
    server = await openWebhookServer();
    server.answer = () => done('pushed');
    const env = {
      OPERATOR_TOKEN: token,
      PUSHES_PER_PHONE_PER_HOUR: '2',
      HOP_DEADLINE_MS: '20000',
      WEBHOOKS: JSON.stringify({ network: { url: server.url, secret, private: true, phone: 'full', pushes: true } }),
    };
    app = await openTestApp({ flow, env });
  });
  afterEach(async () => {
    await app.close();
    await server.close();
  });

  const push = async (change: object = {}, shown = token) => {
    const payload = { key: 'bill-7', phoneNumber, serviceCode: '*384#', screen: 'amount', ...change };
    const reply = await app.inject({
      method: 'POST',
      url: '/api/ussd/pushes',
      payload,
      headers: { authorization: `Bearer ${shown}` },
    });
    return { status: reply.statusCode, ...(reply.json() as { sessionId?: string; result?: string; message?: string }) };
  };
  const hop = async (sessionId: string, text: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/api/ussd',
        payload: { sessionId, serviceCode: '*384#', phoneNumber, text },
      })
    ).body;

  it('is shown by the webhook, and its inputs are those of any session', async () => {
    const { status, sessionId = '', result } = await push();
    expect({ status, result }).toEqual({ status: 200, result: 'pushed' });
    const sent = JSON.parse(server.received[0]?.body ?? '{}');
    expect(sent).toMatchObject({
      operation: 'push',
      phone: phoneNumber,
      entries: { sessionId, serviceCode: '*384#', message: 'How much?\n0. Back' },
    });
    expect(await hop(sessionId, '0')).toBe('CON Soko\n1. Pay\n*. Leave');
    expect(await hop(sessionId, '0*1')).toBe('CON How much?\n0. Back');
    expect(await hop('dialled', '')).toBe('CON Soko\n1. Pay\n*. Leave');
  });

  it('is pushed once per key, for any number of requests', async () => {
    const all = await Promise.all([push(), push(), push()]);
    all.push(await push());
    expect(new Set(all.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(all.at(-1)).toMatchObject({ status: 200, result: 'pushed' });
    expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(server.received).toHaveLength(1);
  });

  it('with an uncertain delivery is pending, under the same key for the webhook, and does not affect a dial', async () => {
    server.answer = () => ({ status: 500, text: '' });
    const { sessionId = '', ...first } = await push();
    expect(first).toEqual({ status: 200, result: 'pending' });
    expect(await hop('dialled', '')).toBe('CON Soko\n1. Pay\n*. Leave');
    server.answer = () => done('refused');
    expect(await push()).toEqual({ status: 200, sessionId, result: 'refused' });
    expect(new Set(server.received.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([sessionId]));
  });

  it('is limited per phone and hour by the setting of the operator', async () => {
    for (const key of ['a', 'b']) expect(await push({ key })).toMatchObject({ status: 200, result: 'pushed' });
    expect(await push({ key: 'c' })).toMatchObject({ status: 429 });
    expect(await push({ key: 'a' })).toMatchObject({ status: 200, result: 'pushed' });
    expect(await push({ key: 'c', phoneNumber: '+260971230568' })).toMatchObject({ status: 200 });
  });

  it.each([
    [
      'by an aggregator without pushes',
      { aggregator: 'infobip' },
      '"infobip" has no interface to open a session from the gateway',
    ],
    ['on an unknown screen', { screen: 'nowhere' }, '"nowhere" is not a screen that is open to all callers'],
    ['on an authenticated screen', { screen: 'mine' }, '"mine" is not a screen that is open to all callers'],
    [
      'on a screen that prints a typed value',
      { screen: 'receipt' },
      '"receipt" prints "amount", which is unknown in a push',
    ],
  ])('is refused %s', async (_what, change, reason) => {
    expect(await push(change)).toMatchObject({ status: 400, message: expect.stringContaining(reason) });
    expect(server.received).toEqual([]);
  });

  it('requires the operator token', async () => {
    expect(await push({}, 'guess-of-a-token')).toMatchObject({ status: 401 });
    expect(server.received).toEqual([]);
  });
});
