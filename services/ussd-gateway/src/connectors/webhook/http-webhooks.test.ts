import { maskMsisdn } from '@mlango/service-kit/logging';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runQuery } from '../run-query.js';
import { queryRequest, sourcesOf } from '../sources.fixture.js';
import { isSigned, signingKey } from './message-signature.js';
import { runWebhookEffects } from './run-webhook-effects.js';
import { openWebhookServer, type WebhookServer } from './webhook-server.fixture.js';
import { billsQuestion, feeQuestion, leasedPay, openWebhooks, payAct, request, secret } from './webhooks.fixture.js';

const done = (outcome: string, facts: object = {}) => ({ text: JSON.stringify({ status: 'done', outcome, facts }) });

describe('a webhook', () => {
  let server: WebhookServer;
  beforeEach(async () => {
    server = await openWebhookServer();
  });
  afterEach(() => server.close());

  const act = (more: object = {}, leased = leasedPay(), log?: (line: string) => void) => {
    const run = runWebhookEffects(openWebhooks(server.url, more, log).webhooks)['webhook money'];
    if (run === undefined) throw new Error('no effect');
    return run(request, leased);
  };
  const bodies = () => server.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  it('receives the declared facts, signed, with the idempotency key', async () => {
    server.answer = () => done('paid', { reference: 'R-1' });
    expect(await act()).toEqual({ result: 'paid', facts: { reference: 'R-1' } });
    const [{ headers, body, method } = { headers: {}, body: '', method: '' }] = server.received;
    expect(method).toBe('POST');
    expect(JSON.parse(body)).toEqual({
      intent: 'key-1',
      operation: 'pay',
      flow: 'default',
      screen: 'confirm',
      language: 'sw',
      entries: { amount: '250', plan: 'weekly' },
    });
    expect(headers).toMatchObject({ 'idempotency-key': 'key-1', 'webhook-id': 'key-1' });
    expect(isSigned([signingKey(secret) ?? Buffer.alloc(0)], headers, Date.now(), body)).toBe(true);
  });

  it.each([
    '{"status":"done","outcome":"paid","facts":{"reference":null}}',
    '{"status":"done","outcome":"paid","facts":null}',
    '{"status":"done","outcome":"paid","facts":{"meta":{"a":1},"list":[]}}',
    '\uFEFF{"status":"done","outcome":"paid"}',
    '{"status":"done","outcome":"paid","askAgainSeconds":0,"facts":"none"}',
  ])('has a definite answer despite unusable details: %s', async (text) => {
    server.answer = () => ({ text });
    expect(await act()).toEqual({ result: 'paid', facts: { reference: '-' } });
  });

  it('that refuses with a null outcome has refused', async () => {
    server.answer = () => ({ text: '{"status":"refused","outcome":null,"facts":null}' });
    expect(await act()).toEqual({ result: 'refused', facts: { why: '-' } });
  });

  it('receives the phone number in the configured form', async () => {
    server.answer = () => done('paid');
    for (const phone of ['none', 'full', 'masked', 'keyed']) await act({ phone });
    const [none, full, masked, keyed] = bodies().map((body) => body['phone']);
    expect([none, full, masked]).toEqual([undefined, request.phoneNumber, maskMsisdn(request.phoneNumber)]);
    expect(keyed).toMatch(/^[\w-]{43}$/);
    await act({ phone: 'keyed' });
    expect(bodies().at(-1)?.['phone']).toBe(keyed);
  });

  it.each([
    ['an unusable status', { status: 500, text: '{"status":"done","outcome":"paid"}' }],
    ['a redirect', { status: 302, text: '' }],
    ['not JSON', { text: '<html>' }],
    ['another shape', { text: '{"ok":true}' }],
    ['an outcome that the flow does not declare', done('won')],
    ['an inherited property as outcome', done('constructor')],
    ['the reserved outcome', { text: '{"status":"done","outcome":"unanswered"}' }],
    ['larger than the limit', { text: JSON.stringify({ status: 'done', outcome: 'paid', pad: 'x'.repeat(20_000) }) }],
    ['absent within the time limit', undefined],
  ])('has an act retried, and a question unanswered, if its answer is %s', async (_what, reply) => {
    server.answer = () => reply;
    const log: string[] = [];
    const limits = reply === undefined ? { timeoutMs: 200 } : {};
    await expect(act(limits, leasedPay(), (line) => log.push(line))).rejects.toMatchObject({ code: 'unavailable' });
    const { webhooks, results } = openWebhooks(server.url, limits);
    expect(await webhooks.query(feeQuestion.call as never, queryRequest())).toEqual({ result: 'unanswered' });
    expect(results).toEqual(['money nothing']);
    expect(log.join('')).toContain('unusable webhook answer');
    expect(log.join('')).not.toContain('xxxx');
  });

  it('without a response for long enough leaves the act unanswered, with an error in the log', async () => {
    server.answer = () => undefined;
    const old = leasedPay({ ageMs: 20_001 });
    expect(await act({ retryForSeconds: 20, timeoutMs: 200 }, old)).toEqual({ result: 'unanswered' });
    server.answer = () => ({ text: '{"status":"pending"}' });
    const log: string[] = [];
    const write = (line: string) => void log.push(line);
    expect(await act({ retryForSeconds: 20 }, old, write)).toEqual({ result: 'unanswered' });
    const line = log.find((one) => one.includes('act unanswered, its result is unknown'));
    expect(JSON.parse(String(line))).toMatchObject({ level: 50, webhook: 'money', intent: 'key-1' });
    log.length = 0;
    server.answer = () => done('paid');
    expect(await act({ retryForSeconds: 20 }, old, write)).toMatchObject({ result: 'paid' });
    expect(log.join('')).not.toContain('act unanswered');
  });

  it('with a pending answer is polled at growing intervals', async () => {
    server.answer = () => ({ text: '{"status":"pending","askAgainSeconds":2}' });
    expect(await act()).toEqual({ pending: true, retryInMs: 2000 });
    expect(await act({}, leasedPay({ ageMs: 60_000 }))).toEqual({ pending: true, retryInMs: 6000 });
    expect(await act({}, leasedPay({ ageMs: 80_000_000 }))).toEqual({ pending: true, retryInMs: 300_000 });
    server.answer = () => ({ text: '{"status":"pending"}' });
    expect(await act({ askAgainSeconds: 30 })).toEqual({ pending: true, retryInMs: 30_000 });
  });

  it('is polled for the status of an act before the act is sent again', async () => {
    const statusUrl = `${server.url}/payments/{intent}`;
    server.answer = ({ method }) => (method === 'GET' ? { status: 404, text: '{}' } : { text: '{"status":"pending"}' });
    await act({ statusUrl });
    await act({ statusUrl }, leasedPay({ tries: 2, key: 'a/b' }));
    server.answer = () => done('paid', { reference: 'R-9' });
    expect(await act({ statusUrl }, leasedPay({ tries: 3 }))).toEqual({ result: 'paid', facts: { reference: 'R-9' } });
    const calls = server.received.map(({ method, path }) => `${method} ${path}`);
    expect(calls).toEqual(['POST /', 'GET /payments/a%2Fb', 'POST /', 'GET /payments/key-1']);
  });

  it('with a list returns it with the facts of the answer; without items the result is empty', async () => {
    const log: string[] = [];
    const { webhooks, results } = openWebhooks(server.url, {}, (line) => log.push(line));
    const ask = () => runQuery(billsQuestion, queryRequest(), { ...sourcesOf(), webhooks });
    expect(Object.keys(billsQuestion.results)).toEqual(['found', 'empty', 'unanswered']);
    const bills = [1, 2, 3].map((amount) => ({ name: 'Water', amount, owner: 'x' }));
    server.answer = () => done('found', { bills: bills.slice(0, 2), owner: 'Amina' });
    const items = [1, 2].map((amount) => ({ name: 'Water', amount: String(amount) }));
    const found = { result: 'found', facts: { owner: 'Amina' }, lists: { bills: items } };
    expect(await ask()).toEqual(found);
    expect(log).toEqual([]);
    server.answer = () => done('found', { bills, owner: 'Amina' });
    expect(await ask()).toEqual(found);
    expect(log.join('')).toContain('1 of the items of \\"bills\\"');
    server.answer = () => done('found', { bills: [null] });
    expect(await ask()).toEqual({ result: 'empty' });
    server.answer = () => done('empty');
    expect(await ask()).toEqual({ result: 'empty', facts: {} });
    expect(results).toEqual(Array(4).fill('money done'));
  });

  it.each([
    ['no list', {}, 'has no list in "bills"'],
    ['null', { bills: null }, 'has no list in "bills"'],
    [
      'a field of another type',
      { bills: [{ amount: 1 }, { amount: 'free of charge' }] },
      'has no amount of at most 6 characters in "amount" of item 2 of "bills"',
    ],
  ])(
    'leaves the question unanswered for an answer with %s in place of a list, with the field in the log',
    async (_what, facts, why) => {
      const log: string[] = [];
      const { webhooks, results } = openWebhooks(server.url, {}, (line) => log.push(line));
      server.answer = () => done('found', facts);
      expect(await runQuery(billsQuestion, queryRequest(), { ...sourcesOf(), webhooks })).toEqual({
        result: 'unanswered',
        facts: {},
      });
      expect(results).toEqual(['money nothing']);
      expect(JSON.parse(log.join(''))).toMatchObject({ webhook: 'money', operation: 'findBills', why });
      expect(log.join('')).not.toContain('free of charge');
    },
  );

  it('is not called at a private address that the operator has not allowed', async () => {
    const { webhooks } = openWebhooks(server.url, { private: false });
    const response = await webhooks.send(payAct.call as never, queryRequest());
    expect(response).toEqual({ kind: 'unusable', why: 'cannot be reached: ERR_FORBIDDEN_ADDRESS' });
    expect(server.received).toEqual([]);
  });
});
