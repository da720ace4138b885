import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';

/** Invalid ids in their path form. */
const odd: Readonly<Record<string, string>> = {
  '10,000 characters': 'x'.repeat(10_000),
  '10,000 encoded characters': '%61'.repeat(10_000),
  'one character above the limit': 'x'.repeat(1_025),
  'the limit': 'x'.repeat(1_024),
  NUL: '%00',
  'NUL in a word': 'a%00b',
  'bytes that are not UTF-8': '%ff%fe',
  'half an escape': '%E0%A4%A',
  'a lone per cent sign': '%',
  'half of a surrogate pair': '%ED%A0%80',
  'an unassigned code point': '%F4%8F%BF%BF',
  'an encoded slash': 'a%2Fb',
  'a line break': 'a%0d%0ab',
  'a quote': "'%22%27",
  __proto__: '__proto__',
};

/** Enables the routes of plugins that are off by default. The address is never called. */
const optional = {
  LIVEKIT_URL: 'ws://127.0.0.1:9',
  LIVEKIT_API_KEY: 'APItests',
  LIVEKIT_API_SECRET: 'a-secret-of-tests-that-is-long-enough',
};

let oracle: TestOracle;
let user: TestUser;
let routes: [string, string][];
beforeAll(async () => {
  oracle = await createTestOracle({ env: optional });
  user = await oracle.newUser();
  const { paths } = (await oracle.inject('/docs/json')).json<{ paths: Record<string, object> }>();
  routes = Object.entries(paths)
    .filter(([path]) => path.includes('{'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path]));
});
afterAll(() => oracle.close());

describe('an invalid path', () => {
  it('is a client error on every route, never a server error', async () => {
    const failed: string[] = [];
    for (const [method, path] of routes) {
      for (const [name, id] of Object.entries(odd)) {
        const payload = bodies[`${method} ${path}`];
        const reply = await oracle.inject({
          method: method as 'GET',
          url: path.replaceAll(/\{\w+\}/g, id),
          headers: user.headers,
          ...(payload === undefined ? {} : { payload }),
        });
        const { statusCode, body } = reply;
        const isFine = statusCode < 500 && (statusCode >= 400 || id.length < 10_000) && body.startsWith('{');
        if (!isFine) failed.push(`${method} ${path} with ${name}: ${statusCode} ${body.slice(0, 200)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(routes.length).toBeGreaterThan(7);
  });
});

/** Valid bodies, so that only the path is invalid. */
const bodies: Readonly<Record<string, object>> = {
  'PATCH /sessions/{sessionId}': { archived: true },
  'POST /messages/{sessionId}': { message: 'hi' },
  'POST /runs/{runId}/approvals/{toolCallId}': { decision: 'allow' },
};
