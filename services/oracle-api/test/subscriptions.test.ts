import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';

const patient = { timeout: 10_000, interval: 50 };
const operator = { authorization: 'Bearer an-operator-token-of-tests' };

describe('an oracle with the plugin credits', () => {
  let oracle: TestOracle;
  let user: TestUser;
  let sessionId: string;
  beforeAll(async () => {
    oracle = await createTestOracle({
      env: { CREDITS: 'local', CREDITS_OPERATOR_TOKEN: 'an-operator-token-of-tests' },
    });
    user = await oracle.newUser();
    sessionId = await user.openSession();
  });
  afterAll(() => oracle.close());

  const get = (url: string) => oracle.inject({ url, headers: user.headers });
  const send = (payload: object) =>
    oracle.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: user.headers, payload });
  const topUp = (topUpId: string, tokens: number) =>
    oracle.inject({
      method: 'POST',
      url: '/credits/top-ups',
      headers: operator,
      payload: { topUpId, did: user.did, tokens },
    });
  const process = () => oracle.inject({ method: 'POST', url: '/credits/claims/process', headers: operator });

  it('refuses users without credits before any effect: no message, run or frame is stored', async () => {
    for (const stream of [false, true]) {
      const refused = await send({ message: 'Hello', stream });
      expect(refused.headers['content-type']).toContain('application/json');
      expect(refused.json()).toMatchObject({ statusCode: 402, claims: [expect.any(String)] });
      expect(refused.headers).not.toHaveProperty('x-run-id');
    }
    expect((await get(`/messages/${sessionId}`)).json()).toEqual({ messages: [] });
    expect((await get(`/sessions/${sessionId}/run`)).json()).toEqual({ run: null });
  });

  it('lets these users read and delete their data', async () => {
    for (const url of [
      '/sessions',
      `/messages/${sessionId}`,
      '/user-preferences',
      '/memories',
      '/delegation',
      '/credits',
    ]) {
      expect((await get(url)).statusCode, url).toBe(200);
    }
    const other = await user.openSession();
    const deletion = await oracle.inject({ method: 'DELETE', url: `/sessions/${other}`, headers: user.headers });
    expect(deletion.statusCode).toBe(200);
  });

  it('settles usage once under concurrent calls, and refuses calls of users', async () => {
    await topUp('first', 1_000_000);
    await topUp('first', 1_000_000);
    await process();
    for (const message of ['one', 'two', 'three']) expect((await send({ message })).statusCode).toBe(200);
    const { owed } = await vi.waitFor(async () => {
      const account = (await get('/credits')).json<{ owed: number; held: number; claims: string[] }>();
      expect([account.claims.length, account.held]).toEqual([3, 0]);
      return account;
    }, patient);
    const users = { method: 'POST' as const, url: '/credits/claims/process', headers: user.headers };
    expect((await oracle.inject(users)).statusCode).toBe(401);
    const settled = await Promise.all([process(), process(), process(), process()]);
    expect(settled.map((reply) => reply.json<{ settled: number }>().settled).reduce((a, b) => a + b)).toBe(3);
    const paid = { did: user.did, balance: 1_000_000 - owed, turnTokens: 100_000, owed: 0, held: 0, claims: [] };
    expect((await get('/credits')).json()).toEqual(paid);
  });
});

describe('an oracle with the plugin switched off', { timeout: 60_000 }, () => {
  it('requires no credits, although it is configured', async () => {
    const oracle = await createTestOracle({ features: { credits: false }, env: { CREDITS: 'local' } });
    const user = await oracle.newUser();
    expect(await user.say('Hello')).toContain('Hello! I am');
    expect((await oracle.inject({ url: '/credits', headers: user.headers })).statusCode).toBe(404);
    await oracle.close();
  });
});
