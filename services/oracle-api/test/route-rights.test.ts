import { randomBytes } from 'node:crypto';
import { apiKeyScope } from '@mlango/schemas/oracle-api-keys';
import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../src/create-test-oracle.js';
import { type RouteName, rightsOf, routeRights } from '../src/identity/route-rights.js';
import { closeClients, plainClient, socketIoClient } from '../src/sockets/sockets.fixture.js';
import { bearer, type CanaryWorld, canary, canaryWorld, holdingModel } from './canary-world.fixture.js';
import { type Attempt, attemptsOf } from './route-attempts.fixture.js';

const env = { API_KEYS: 'on', DOORS: 'openai,ai-sdk,ag-ui,a2a,mcp', TURNS_PER_ADDRESS: '100000' };
const scopes = apiKeyScope.options;
/** Sets that lack one scope each, so that each is needed, and the set of a key that only asks. */
const scopeSets = [...scopes.map((scope) => scopes.filter((other) => other !== scope)), ['send']];
const routes = Object.keys(attemptsOf) as (keyof typeof attemptsOf)[];

type Credentials = Readonly<Record<string, string>>;

describe('the table of route rights', { timeout: 120_000 }, () => {
  let oracle: TestOracle;
  let withCredits: TestOracle;
  const { model, next } = holdingModel();
  beforeAll(async () => {
    oracle = await createTestOracle({ env, model });
    withCredits = await createTestOracle({ env: { ...env, CREDITS: 'local' } });
  });
  afterAll(() => Promise.all([oracle.close(), withCredits.close()]));

  const openStreams = async () => {
    const { body } = await oracle.inject({ url: '/metrics' });
    return Number(/^oracle_streams_open\S* (\d+)$/m.exec(body)?.[1]);
  };

  async function replyTo(route: RouteName, { url, payload, headers, afterwards }: Attempt, by: Credentials) {
    const method = route.split(' ')[0] as 'GET';
    let hasEnded = false;
    const reply = oracle
      .inject({
        method,
        url,
        headers: { ...headers, ...by },
        ...(payload === undefined ? {} : { payload }),
      })
      .finally(() => {
        hasEnded = true;
      });
    if (afterwards !== undefined) {
      await expect.poll(async () => hasEnded || (await openStreams()) > 0).toBe(true);
      await afterwards();
    }
    return reply;
  }

  async function repliesTo(route: keyof typeof attemptsOf, world: CanaryWorld, by: Credentials) {
    const replies: { status: number; text: string; attempt: Attempt }[] = [];
    for (const attempt of await attemptsOf[route](world)) {
      const reply = await replyTo(route, attempt, by);
      replies.push({ status: reply.statusCode, text: JSON.stringify(reply.headers) + reply.body, attempt });
    }
    return replies;
  }

  async function worldWith(granted: readonly string[]) {
    const world = await canaryWorld(oracle, next);
    const payload = { name: 'a script', scopes: granted };
    const made = await oracle.inject({ method: 'POST', url: '/api-keys', headers: world.headers, payload });
    const { key } = made.json<{ key: string }>();
    return { world, key, by: { authorization: `Bearer ${key}` } };
  }

  it('lists exactly the routes that accept API keys', async () => {
    const { paths } = (await withCredits.inject({ url: '/docs/json' })).json<{
      paths: Record<string, Record<string, { security?: object[] }>>;
    }>();
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security = [] }]) => security.some((way) => 'apiKey' in way))
        .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(documented.sort()).toEqual(Object.keys(routeRights).sort());
  });

  it.each(scopeSets.map((some) => some.join(' ')))('limits a key with %s to its routes and contents', async (set) => {
    const own = set.split(' ');
    const { world, by } = await worldWith(own);
    for (const route of routes) {
      const isRefused = rightsOf(route).keyScopes.some((scope) => !own.includes(scope));
      for (const { status, text, attempt } of await repliesTo(route, world, by)) {
        const request = `${route} ${JSON.stringify(attempt.payload)}`;
        if (isRefused) expect.soft(status, request).toBe(403);
        if (!isRefused && attempt.hasCalls && !own.includes('tools'))
          expect.soft(text, request).toContain('lacks the scope tools');
        if (isRefused || !own.includes('read')) expect.soft(text, request).not.toContain(canary);
      }
    }
  });

  it('has the contents of each route for a key with all scopes', async () => {
    const { world, by } = await worldWith(scopes);
    const found: Record<string, object> = {};
    const listed: Record<string, object> = {};
    for (const route of routes) {
      const { earlier, calls = 'never' }: { earlier: string; calls?: string } = routeRights[route];
      const replies = await repliesTo(route, world, by);
      const hasEarlier = replies.some(({ text }) => text.includes(canary));
      const hasCalls = replies.some(({ status, attempt }) => status < 300 && attempt.hasCalls);
      found[route] = { hasEarlier, hasCalls };
      listed[route] = { hasEarlier: earlier !== 'never', hasCalls: calls !== 'never' };
    }
    expect(found).toEqual(listed);
  });

  it('allows exactly its listed routes for a holder of oracle/converse', async () => {
    const world = await canaryWorld(oracle, next);
    const [actor, audience] = [signerFromSeed(randomBytes(32)), oracle.oracle.did];
    const capability = { can: converseAbility, with: world.signer.did };
    const proof = await mintDelegation({ signer: world.signer, audience: actor.did, capabilities: [capability] });
    const by = bearer(await mintInvocation({ signer: actor, audience, capability, proofs: [proof] }));
    for (const route of routes) {
      const { isConversing } = rightsOf(route);
      for (const { status, text, attempt } of await repliesTo(route, world, by)) {
        const request = `${route} ${JSON.stringify(attempt.payload)}`;
        expect.soft(status !== 401, request).toBe(isConversing);
        if (!isConversing) expect.soft(text, request).not.toContain(canary);
      }
    }
  });

  it('refuses sockets for an API key with all scopes', async () => {
    const { world, key, by } = await worldWith(scopes);
    const base = await oracle.listen();
    const auth = { invocation: key, ucanDelegation: key };
    const sockets = [
      plainClient(base, world.session, auth),
      plainClient(base, world.session, undefined, { ...by, 'x-auth-type': 'ucan' }),
      socketIoClient(base, world.session, auth),
    ];
    for (const socket of sockets) {
      expect(Object.keys(await socket.next('connect_error'))).toContain('message');
      expect(socket.received.map(({ event }) => event)).not.toContain('connected');
    }
    closeClients();
  });
});
