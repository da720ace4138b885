import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';
import type { LanguageModel } from '../../models/language-model.js';
import { standInSubscriptions, subscriptionKey } from './stand-in-subscriptions.fixture.js';

const turnTokens = 10_000;
const patient = { timeout: 20_000, interval: 20 };

describe.each(['local', 'subscription'])('credits (%s) with many concurrent messages', (kind) => {
  let letGo: () => void = () => undefined;
  let until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let asked = 0;
  const model: LanguageModel = {
    id: 'held',
    label: 'Held',
    async *stream() {
      asked += 1;
      await until;
      yield { type: 'text', delta: 'Here you are.' };
      yield { type: 'usage', usage: { inputTokens: 60, outputTokens: 40 } };
    },
  };
  let oracle: TestOracle;
  let api: Awaited<ReturnType<typeof standInSubscriptions>>;
  beforeAll(async () => {
    asked = 0;
    api = await standInSubscriptions();
    const elsewhere = { SUBSCRIPTION_URL: api.url, SUBSCRIPTION_API_KEY: subscriptionKey };
    const byRoute = { SUBSCRIPTION_DELIVERY_SECONDS: '0', CREDITS_TURN_TOKENS: String(turnTokens) };
    oracle = await createTestOracle({
      model,
      env: { ...(kind === 'local' ? { CREDITS: 'local' } : elsewhere), ...byRoute, SESSIONS_PER_USER: '1000' },
    });
  });
  afterAll(async () => {
    await oracle.close();
    api.close();
  });

  const topUp = async ({ did }: TestUser, tokens: number) => {
    api.paid.add(did);
    api.allowances.set(did, tokens);
    const payload = { topUpId: `${did} ${tokens}`, did, tokens };
    if (kind === 'local') await oracle.inject({ method: 'POST', url: '/credits/top-ups', payload });
  };
  const standing = async ({ headers }: TestUser) => (await oracle.inject({ url: '/credits', headers })).json();
  /** With an external balance, no balance is shown. */
  const shown = ({ owed, ...kept }: { balance: number; owed: number; held: number }) =>
    kind === 'local' ? { owed, ...kept } : { owed };
  const send = async ({ headers }: TestUser, sessionId: string) =>
    (await oracle.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload: { message: 'hi' } }))
      .statusCode;

  it('run as many turns as the balance covers, and release unused reservations', async () => {
    const user = await oracle.newUser();
    await topUp(user, 3 * turnTokens);
    const sessions = await Promise.all(Array.from({ length: 40 }, () => user.openSession()));
    const statuses: number[] = [];
    const sends = sessions.map(async (session) => statuses.push(await send(user, session)));
    await vi.waitFor(() => expect(statuses).toHaveLength(37), patient);
    await vi.waitFor(() => expect(asked).toBe(3), patient);
    expect(await standing(user)).toMatchObject(shown({ balance: 3 * turnTokens, owed: 0, held: 3 * turnTokens }));
    letGo();
    await Promise.all(sends);
    expect([statuses.filter((status) => status === 402).length, asked]).toEqual([37, 3]);
    expect(await standing(user)).toMatchObject(shown({ balance: 3 * turnTokens, owed: 300, held: 0 }));
  }, 60_000);

  it('hold nothing for a message that is refused after the payment gate', async () => {
    until = Promise.resolve();
    const user = await oracle.newUser();
    await topUp(user, turnTokens);
    expect(await send(user, 'no-such-session')).toBe(404);
    expect(await standing(user)).toMatchObject(shown({ balance: turnTokens, owed: 0, held: 0 }));
    expect(await send(user, await user.openSession())).toBe(200);
  });
});
