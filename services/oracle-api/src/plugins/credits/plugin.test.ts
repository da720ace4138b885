import { jsonError } from '@mlango/schemas/errors';
import { paymentRequired } from '@mlango/schemas/oracle-runs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';
import { planOracle } from '../../oracle.js';
import { credits } from './plugin.js';

const operatorToken = 'an-operator-token-of-tests';

it('limits attempts on the operator token by address, across all operator routes', async () => {
  const limited = await createTestOracle({
    env: { CREDITS: 'local', CREDITS_OPERATOR_TOKEN: operatorToken, RATE_LIMIT_MAX: '3' },
  });
  const statuses: number[] = [];
  for (const url of ['/credits/top-ups', '/credits/claims/process', '/credits/top-ups', '/credits/claims/process']) {
    const reply = await limited.inject({ method: 'POST', url, headers: { authorization: 'Bearer wrong' } });
    statuses.push(reply.statusCode);
  }
  await limited.close();
  expect(statuses).toEqual([401, 401, 401, 429]);
});

describe('credits in the database of the oracle', () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await createTestOracle({ env: { CREDITS: 'local', CREDITS_OPERATOR_TOKEN: operatorToken } });
  });
  afterAll(() => oracle.close());

  const send = async (user: TestUser, sessionId: string, message = 'hello', stream = false) =>
    oracle.inject({
      method: 'POST',
      url: `/messages/${sessionId}`,
      headers: user.headers,
      payload: { message, stream },
    });
  const operate = (url: string, payload: object = {}, token = operatorToken) =>
    oracle.inject({ method: 'POST', url, headers: { authorization: `Bearer ${token}` }, payload });
  const topUp = (user: TestUser, topUpId: string, tokens: number) =>
    operate('/credits/top-ups', { topUpId, did: user.did, tokens });
  const standing = async ({ headers }: TestUser) => (await oracle.inject({ url: '/credits', headers })).json();

  it.each([true, false])(
    'refuse a user without credits, with the same claim each time, and serve the user after a top-up: stream %s',
    async (stream) => {
      const [user, other] = [await oracle.newUser(), await oracle.newUser()];
      const session = await user.openSession();
      const refused = await send(user, session, 'hello', stream);
      expect(refused.statusCode).toBe(402);
      expect((await oracle.inject('/metrics')).body).toMatch(/^requests_refused_total\{limiter="credits",.*\} [1-9]/m);
      const { claims, outstandingClaims } = paymentRequired.parse(refused.json());
      expect([claims.length, outstandingClaims]).toEqual([1, claims]);
      expect((await send(user, session)).json()).toMatchObject({ claims });
      expect((await topUp(user, `first of ${user.did}`, 100_000)).json()).toEqual({ balance: 100_000 });
      expect((await send(user, session, 'hello', stream)).statusCode).toBe(200);
      expect((await send(other, await other.openSession())).statusCode).toBe(402);
    },
  );

  it.each(['/credits/top-ups', '/credits/claims/process'])(
    'refuse unauthorized requests at %s, as documented',
    async (url) => {
      const reply = await oracle.inject({ method: 'POST', url, payload: {} });
      expect(reply.statusCode).toBe(401);
      expect(jsonError.parse(reply.json())).toEqual(reply.json());
      const { paths, components } = (await oracle.inject('/docs/json')).json();
      expect(paths[url].post).toMatchObject({ security: [{ operator: [] }], responses: { 401: expect.anything() } });
      expect(components.securitySchemes).toHaveProperty('operator');
    },
  );

  it('are rejected as invalid if they cannot be stored', async () => {
    const user = await oracle.newUser();
    expect((await topUp(user, 'nul\u0000', 1)).json()).toMatchObject({ statusCode: 400, fields: ['topUpId'] });
    const ofUnknown = { ...user, did: `${user.did}\u0000` };
    expect((await topUp(ofUnknown, 'of nobody', 1)).json()).toMatchObject({ statusCode: 400, fields: ['did'] });
  });

  it('report the cost at the end of a streamed answer', async () => {
    const user = await oracle.newUser();
    const session = await user.openSession();
    await topUp(user, `a stream of ${user.did}`, 100_000);
    const streamed = (await send(user, session, 'hello', true)).body;
    const { usage } = JSON.parse(/event: done\ndata: (.*)/.exec(streamed)?.[1] ?? '{}');
    expect(usage.credits).toBe(usage.inputTokens + usage.outputTokens);
    await vi.waitFor(async () => expect((await standing(user)).owed).toBe(usage.credits));
  });

  it('decrease with usage: the last claim must be paid, and is settled once', async () => {
    const user = await oracle.newUser();
    const session = await user.openSession();
    await topUp(user, `one token of ${user.did}`, 1);
    expect((await send(user, session)).statusCode).toBe(200);
    const { balance, owed, claims } = await vi.waitFor(async () => {
      const account = await standing(user);
      expect(account.owed).toBeGreaterThan(1);
      return account;
    });
    expect([balance, claims.length]).toEqual([1, 1]);
    expect((await send(user, session)).json()).toMatchObject({ statusCode: 402, claims });
    const figures = (await oracle.inject('/metrics')).body;
    for (const name of ['tokens', 'oldest_claim_seconds'])
      expect(figures).toMatch(new RegExp(`^oracle_credits_${name}\\{state="owed",scope="fleet".*\\} \\d`, 'm'));
    await operate('/credits/claims/process');
    expect(await standing(user)).toEqual({ did: user.did, balance: 1, turnTokens: 100_000, held: 0, owed, claims });
    await topUp(user, `the rest of ${user.did}`, owed);
    expect((await operate('/credits/claims/process')).json().settled).toBeGreaterThan(0);
    expect(await standing(user)).toEqual({
      did: user.did,
      balance: 1,
      turnTokens: 100_000,
      held: 0,
      owed: 0,
      claims: [],
    });
    expect((await send(user, session)).statusCode).toBe(200);
  });

  it('are added once per payment, only by operators', async () => {
    const user = await oracle.newUser();
    for (const url of ['/credits/top-ups', '/credits/claims/process']) {
      expect((await operate(url, {}, 'a-token-of-somebody-else')).statusCode).toBe(401);
      expect((await oracle.inject({ method: 'POST', url, headers: user.headers })).statusCode).toBe(401);
    }
    const told = await Promise.all([topUp(user, 'paid once', 5), topUp(user, 'paid once', 5)]);
    expect(told.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await standing(user)).toMatchObject({ balance: 5 });
    expect((await topUp(user, 'less than nothing', -5)).statusCode).toBe(400);
  });
});

describe('the plugin credits', () => {
  const isOn = (env: Record<string, string>, features = {}) =>
    planOracle({ plugins: [credits], env: { NODE_ENV: 'test', ...env }, features }).plugins.find(
      ({ plugin }) => plugin.name === 'credits',
    )?.isOn;
  const SUBSCRIPTION_URL = 'https://subscriptions.example';

  it('is on if a payment source is configured', () => {
    expect([isOn({}), isOn({ CREDITS: 'local' }), isOn({ SUBSCRIPTION_URL })]).toEqual([false, true, true]);
    expect(isOn({ CREDITS: 'local' }, { credits: false })).toBe(false);
  });

  it('starts with a subscription API, which adds to balances itself', async () => {
    const oracle = await createTestOracle({ env: { SUBSCRIPTION_URL, CREDITS_OPERATOR_TOKEN: operatorToken } });
    const reply = await oracle.inject({ method: 'POST', url: '/credits/top-ups' });
    await oracle.close();
    expect(reply.statusCode).toBe(404);
  });

  it('refuses to start with invalid settings', () => {
    expect(() => isOn({}, { credits: true })).toThrow('SUBSCRIPTION_URL: is required (plugin credits)');
    expect(() => isOn({ CREDITS: 'local', CREDITS_TURN_TOKENS: '99' })).toThrow('must be a whole number from 100');
    expect(() => isOn({ CREDITS: 'remote' })).toThrow('CREDITS: must be local');
    expect(() => isOn({ CREDITS: 'local', SUBSCRIPTION_URL })).toThrow('not both');
    expect(() => isOn({ SUBSCRIPTION_URL: 'https://a:b@c' })).toThrow('SUBSCRIPTION_URL: must be a URL');
    expect(() => isOn({ CREDITS: 'local', CREDITS_OPERATOR_TOKEN: 'short' })).toThrow('CREDITS_OPERATOR_TOKEN');
    expect(() => isOn({ CREDITS: 'local', NODE_ENV: 'production' })).toThrow('CREDITS_OPERATOR_TOKEN: is required');
  });
});
