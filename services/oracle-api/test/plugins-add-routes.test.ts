import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';
import type { PluginRoutes } from '../src/plugins/api/plugin.js';
import { signed, signingSecret } from '../src/plugins/slack/signed-event.fixture.js';

const replyBody = z.object({ path: z.string() });
const get =
  (path: string): PluginRoutes =>
  (app) => {
    app.get(path, { schema: { summary: `Answers ${path}`, response: { 200: replyBody } } }, () => ({ path }));
  };
const market = testPlugin('market', {
  getRoutes: () => ['/market/prices', '/market/hours', '/market/orders'].map(get),
  getAuthExcludedRoutes: () => [{ method: 'GET', path: '/market/prices' }],
});
const pathsOf = async (oracle: TestOracle) =>
  (await oracle.inject({ url: '/docs/json' })).json<{ paths: Record<string, Record<string, { security?: unknown }>> }>()
    .paths;

describe('an oracle with plugin routes', () => {
  let oracle: TestOracle;
  let user: TestUser;
  beforeAll(async () => {
    oracle = await createTestOracle({
      plugins: [market],
      authExcludedRoutes: ['/market/hours'],
      env: { SLACK_SIGNING_SECRET: signingSecret, SLACK_BOT_TOKEN: 'xoxb-of-tests', CREDITS: 'local' },
    });
    user = await oracle.newUser();
  });
  afterAll(() => oracle.close());

  it('makes routes public that the plugin or createOracleApp names', async () => {
    for (const url of ['/market/prices', '/market/hours']) {
      const reply = await oracle.inject({ url, headers: { authorization: 'Bearer x', 'x-auth-type': 'ucan' } });
      expect([reply.statusCode, reply.json()]).toEqual([200, { path: url }]);
    }
  });

  it('requires a token on all others', async () => {
    expect((await oracle.inject({ url: '/market/orders' })).json()).toMatchObject({ statusCode: 401 });
    const reply = await oracle.inject({ url: '/market/orders', headers: user.headers });
    expect(reply.json()).toEqual({ path: '/market/orders' });
  });

  it('describes the routes of all plugins at /docs, and which of them need a token', async () => {
    const paths = await pathsOf(oracle);
    const routes = oracle.plugins.status().flatMap((plugin) => plugin.routes);
    expect(routes).toEqual(
      expect.arrayContaining([
        'GET /market/prices',
        'GET /user-preferences',
        'GET /memories',
        'POST /slack/events',
        'POST /credits/claims/process',
      ]),
    );
    for (const route of routes) {
      const [method = '', path = ''] = route.toLowerCase().split(' ');
      const described = Object.entries(paths).find(
        ([each]) => each.replace(/\{(\w+)\}/g, ':$1').toLowerCase() === path,
      );
      expect(described?.[1], route).toHaveProperty(method);
    }
    const wantsToken = (path: string, method = 'get') => paths[path]?.[method]?.security !== undefined;
    expect([wantsToken('/market/prices'), wantsToken('/market/hours')]).toEqual([false, false]);
    expect([wantsToken('/market/orders'), wantsToken('/user-preferences')]).toEqual([true, true]);
    const page = await oracle.inject({ url: '/docs/' });
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
  });

  it('has the webhook of a Slack app, which requires a signature and no token', async () => {
    const challenge = { type: 'url_verification', challenge: 'c' };
    expect((await oracle.inject(signed(challenge))).json()).toEqual({ challenge: 'c' });
    const unsigned = { method: 'POST' as const, url: '/slack/events', payload: challenge, headers: user.headers };
    expect((await oracle.inject(unsigned)).statusCode).toBe(403);
  });
});

describe('an oracle without these plugins', { timeout: 60_000 }, () => {
  it('has none of their routes, and describes none', async () => {
    const oracle = await createTestOracle({ features: { memory: false } });
    const { headers } = await oracle.newUser();
    const paths = await pathsOf(oracle);
    for (const [method, url] of [
      ['GET', '/market/prices'],
      ['GET', '/memories'],
      ['POST', '/slack/events'],
      ['GET', '/credits'],
      ['POST', '/credits/claims/process'],
    ] as const) {
      expect((await oracle.inject({ method, url, headers })).statusCode, url).toBe(404);
      expect(paths).not.toHaveProperty(url);
    }
    expect(paths).toHaveProperty('/user-preferences');
    await oracle.close();
  });
});
