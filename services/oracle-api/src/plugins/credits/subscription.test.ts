import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';
import { type Misbehaviour, standInSubscriptions, subscriptionKey } from './stand-in-subscriptions.fixture.js';

const patient = { timeout: 10_000, interval: 50 };

describe('credits by a subscription', () => {
  let api: Awaited<ReturnType<typeof standInSubscriptions>>;
  let oracle: TestOracle;
  beforeAll(async () => {
    api = await standInSubscriptions();
    const byRoute = { SUBSCRIPTION_DELIVERY_SECONDS: '0' };
    oracle = await createTestOracle({
      env: { SUBSCRIPTION_URL: api.url, SUBSCRIPTION_API_KEY: subscriptionKey, ...byRoute },
    });
  });
  afterAll(async () => {
    await oracle.close();
    api.close();
  });
  beforeEach(() => {
    delete api.state.misbehaviour;
    api.state.isLosingReplies = false;
    api.state.refused = new Set();
    api.asked.length = 0;
  });

  const send = async (user: TestUser, sessionId: string) =>
    oracle.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: user.headers, payload: { message: 'hi' } });
  const process = () => oracle.inject({ method: 'POST', url: '/credits/claims/process' });
  const standing = async ({ headers }: TestUser) => (await oracle.inject({ url: '/credits', headers })).json();
  /** Usage of one answer to a paying user. */
  const served = async (user: TestUser) => {
    api.paid.add(user.did);
    expect((await send(user, await user.openSession())).statusCode).toBe(200);
    return vi.waitFor(async () => {
      const { owed } = await standing(user);
      expect(owed).toBeGreaterThan(0);
      return Number(owed);
    }, patient);
  };

  it('checks access with its key, and caches granted access for a while but never a refusal', async () => {
    const user = await oracle.newUser();
    const session = await user.openSession();
    api.outstanding.set(user.did, ['c1', 'c2']);
    expect((await send(user, session)).json()).toMatchObject({ statusCode: 402, claims: ['c1', 'c2'] });
    api.paid.add(user.did);
    expect([(await send(user, session)).statusCode, (await send(user, session)).statusCode]).toEqual([200, 200]);
    expect(api.asked).toEqual(Array(2).fill(`GET /v1/subscriptions/${encodeURIComponent(user.did)}`));
  });

  it('returns a claim to pay also for a user unknown to the API', async () => {
    const user = await oracle.newUser();
    const refused = await send(user, await user.openSession());
    expect(refused.json()).toMatchObject({ statusCode: 402, claims: [expect.any(String)] });
  });

  it.each<[string, Misbehaviour]>([
    ['does not respond', 'silent'],
    ['fails', { status: 500 }],
    ['returns an invalid reply', { status: 200, body: { active: 'yes' } }],
    ['returns too many claims', { status: 200, body: { active: true, claims: Array(1_001).fill('c') } }],
    ['rejects the key', { status: 401 }],
    ['redirects', { status: 302, headers: { location: '/v1/ok' } }],
  ])('answers no user for free when the API %s', async (_, misbehaviour) => {
    const user = await oracle.newUser();
    api.paid.add(user.did);
    api.state.misbehaviour = misbehaviour;
    const refused = await send(user, await user.openSession());
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(refused.json().message).toBe('Service temporarily unavailable');
    expect(api.asked).toHaveLength(1);
  });

  it('submits usage, and closes the claims that the API accepts', async () => {
    const [user, other] = [await oracle.newUser(), await oracle.newUser()];
    const [owed] = [await served(user), await served(other)];
    api.state.refused = new Set([other.did]);
    expect((await process()).json().settled).toBeGreaterThan(0);
    expect(api.billedTo(user.did)).toMatchObject([{ did: user.did, tokens: owed }]);
    expect(await standing(user)).toEqual({ did: user.did, owed: 0, claims: [] });
    expect((await standing(other)).claims).toHaveLength(1);
    api.state.refused = new Set();
    expect((await process()).json()).toEqual({ settled: 1 });
    expect((await process()).json()).toEqual({ settled: 0 });
    expect(api.billedTo(other.did)).toHaveLength(1);
  });

  it('submits the same claims again when the reply was lost, and the user is billed once', async () => {
    const user = await oracle.newUser();
    const owed = await served(user);
    api.state.isLosingReplies = true;
    expect((await process()).statusCode).toBe(503);
    expect((await standing(user)).owed).toBe(owed);
    api.state.isLosingReplies = false;
    expect((await process()).statusCode).toBe(200);
    expect(api.billedTo(user.did)).toMatchObject([{ tokens: owed }]);
    expect((await standing(user)).owed).toBe(0);
  });

  it.each<[string, Misbehaviour]>([
    ['fails', { status: 500 }],
    ['returns an invalid reply', { status: 200, body: { accepted: 'all' } }],
    ['accepts a claim that was not submitted', { status: 200, body: { accepted: ['somebody-elses'] } }],
  ])('keeps claims open when the API %s', async (_, misbehaviour) => {
    const user = await oracle.newUser();
    const owed = await served(user);
    api.state.misbehaviour = misbehaviour;
    await process();
    expect((await standing(user)).owed).toBe(owed);
  });

  it('has no balances to top up', async () => {
    const payload = { topUpId: 'x', did: 'did:key:x', tokens: 1 };
    expect((await oracle.inject({ method: 'POST', url: '/credits/top-ups', payload })).statusCode).toBe(404);
  });
});
