import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';

describe('credits by a subscription', () => {
  let server: Server;
  let oracle: TestOracle;
  let asked: string[];
  let standing: (did: string) => { status: number; body?: unknown } | 'silent';
  let accept: (claims: Submitted[]) => string[];
  type Submitted = { claimId: string; did: string; tokens: number; openedAt: string };

  const handle: RequestListener = (request, response) => {
    void (async () => {
      asked.push(`${request.method} ${request.headers.authorization}`);
      if (request.method === 'POST') {
        response.end(JSON.stringify({ accepted: accept(JSON.parse(await text(request)).claims) }));
        return;
      }
      const said = standing(decodeURIComponent(String(request.url).replace('/v1/subscriptions/', '')));
      if (said !== 'silent')
        response.writeHead(said.status, { location: '/v1/ok' }).end(JSON.stringify(said.body ?? {}));
    })();
  };

  beforeAll(async () => {
    server = createServer(handle);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const SUBSCRIPTION_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
    const env = { SUBSCRIPTION_URL, SUBSCRIPTION_API_KEY: 'a-key-of-this-oracle' };
    oracle = await createTestOracle({ env });
  });
  afterAll(async () => {
    await oracle.close();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = [];
    accept = () => [];
  });

  const send = async (user: TestUser, sessionId: string) =>
    oracle.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: user.headers, payload: { message: 'hi' } });
  const process = () => oracle.inject({ method: 'POST', url: '/credits/claims/process' });

  it('asks who may be answered, with its key, and remembers a yes for a while but never a no', async () => {
    const user = await oracle.newUser();
    const session = await user.openSession();
    standing = (did) => ({ status: 200, body: { active: false, claims: did === user.did ? ['c1', 'c2'] : [] } });
    expect((await send(user, session)).json()).toMatchObject({ statusCode: 402, claims: ['c1', 'c2'] });
    standing = () => ({ status: 200, body: { active: true } });
    expect([(await send(user, session)).statusCode, (await send(user, session)).statusCode]).toEqual([200, 200]);
    expect(asked).toEqual(Array(2).fill('GET Bearer a-key-of-this-oracle'));
  });

  it('gives a claim to pay also to a user whom the API does not know', async () => {
    const user = await oracle.newUser();
    standing = () => ({ status: 404 });
    const session = await user.openSession();
    expect((await send(user, session)).json()).toMatchObject({ statusCode: 402, claims: [expect.any(String)] });
  });

  it.each([
    ['says nothing', () => 'silent' as const],
    ['fails', () => ({ status: 500 })],
    ['makes no sense', () => ({ status: 200, body: { active: 'yes' } })],
    ['sends elsewhere', () => ({ status: 302 })],
  ])('answers nobody for free by mistake when the API %s', async (_, away) => {
    const user = await oracle.newUser();
    standing = away;
    const refused = await send(user, await user.openSession());
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(refused.json().message).toBe('Service temporarily unavailable');
  });

  it('submits what was used until the API has accepted it, and then no more', async () => {
    const user = await oracle.newUser();
    standing = () => ({ status: 200, body: { active: true } });
    await send(user, await user.openSession());
    const submitted: Submitted[] = [];
    const ofUser = () => submitted.filter(({ did }) => did === user.did);
    accept = (claims) => {
      submitted.push(...claims);
      return [];
    };
    await vi.waitFor(async () => {
      expect((await process()).json()).toEqual({ settled: 0 });
      expect(ofUser()[0]?.tokens).toBeGreaterThan(0);
    });
    accept = (claims) => claims.map(({ claimId }) => claimId);
    expect((await process()).json().settled).toBeGreaterThan(0);
    submitted.length = 0;
    expect((await process()).json()).toEqual({ settled: 0 });
    expect((await oracle.inject({ url: '/credits', headers: user.headers })).json()).toEqual({
      did: user.did,
      owed: 0,
      claims: [],
    });
  });

  it('has no balances to top up', async () => {
    const payload = { topUpId: 'x', did: 'did:key:x', tokens: 1 };
    expect((await oracle.inject({ method: 'POST', url: '/credits/top-ups', payload })).statusCode).toBe(404);
  });
});
