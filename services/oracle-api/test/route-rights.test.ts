import { apiKeyScope } from '@mlango/schemas/oracle-api-keys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RouteName, rightsOf, routeRights } from '../src/identity/route-rights.js';
import { createTestOracle, type TestOracle } from '../src/plugin-kit/create-test-oracle.js';
import {
  type Attempt,
  attemptsOf,
  type CanaryWorld,
  canary,
  canaryWorld,
  holdingModel,
} from './canary-world.fixture.js';

const env = { API_KEYS: 'on', DOORS: 'openai,ai-sdk,ag-ui,a2a,mcp', TURNS_PER_ADDRESS: '100000' };
const scopes = apiKeyScope.options;
const scopeSets = scopes.flatMap((scope) => [[scope], scopes.filter((other) => other !== scope)]);
const routes = Object.keys(attemptsOf) as (keyof typeof attemptsOf)[];

describe('the table of rights', { timeout: 120_000 }, () => {
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

  async function replyTo(route: RouteName, { url, payload, headers, afterwards }: Attempt, key: string) {
    const method = route.split(' ')[0] as 'GET';
    let hasEnded = false;
    const reply = oracle
      .inject({
        ...{ method, url, headers: { ...headers, authorization: `Bearer ${key}` } },
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

  async function repliesTo(route: keyof typeof attemptsOf, world: CanaryWorld, key: string) {
    const replies: { status: number; text: string; payload: unknown }[] = [];
    for (const attempt of await attemptsOf[route](world)) {
      const reply = await replyTo(route, attempt, key);
      const text = JSON.stringify(reply.headers) + reply.body;
      replies.push({ status: reply.statusCode, text, payload: attempt.payload });
    }
    return replies;
  }

  async function worldWith(granted: readonly string[]) {
    const world = await canaryWorld(oracle, next);
    const payload = { name: 'a script', scopes: granted };
    const made = await oracle.inject({ method: 'POST', url: '/api-keys', headers: world.headers, payload });
    return { world, key: made.json<{ key: string }>().key };
  }

  it('lists every route that takes API keys, and no other', async () => {
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
    const { world, key } = await worldWith(own);
    for (const route of routes) {
      const isRefused = rightsOf(route).keyScopes.some((scope) => !own.includes(scope));
      for (const { status, text, payload } of await repliesTo(route, world, key)) {
        const request = `${route} ${JSON.stringify(payload)}`;
        if (isRefused) expect.soft(status, request).toBe(403);
        if (isRefused || !own.includes('read')) expect.soft(text, request).not.toContain(canary);
      }
    }
  });

  it('says of each route whether a key with all scopes gets content of earlier requests', async () => {
    const { world, key } = await worldWith(scopes);
    const found: Record<string, string> = {};
    for (const route of routes) {
      const replies = await repliesTo(route, world, key);
      const having = replies.filter(({ text }) => text.includes(canary)).length;
      found[route] = having === 0 ? 'never' : routeRights[route].earlier;
    }
    expect(found).toEqual(Object.fromEntries(routes.map((route) => [route, routeRights[route].earlier])));
  });
});
