import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../src/plugin-kit/create-test-oracle.js';

let oracle: TestOracle;
beforeAll(async () => {
  oracle = await createTestOracle();
});
afterAll(() => oracle?.close());

const newUser = async () =>
  (await oracle.inject({ method: 'POST', url: '/docs/try-as' })).json<{ ucan: string; ucanSelector: string }>();

describe('the description of the API outside production', () => {
  it('makes a user of their own for each who wants to try it, whom the oracle takes', async () => {
    const tokens = new Set<string>();
    for (const { ucan, ucanSelector } of [await newUser(), await newUser()]) {
      const headers = { authorization: `Bearer ${ucan}`, 'x-auth-type': ucanSelector };
      expect((await oracle.inject({ method: 'POST', url: '/sessions', headers })).statusCode).toBe(201);
      const sessions = (await oracle.inject({ url: '/sessions', headers })).json<{ sessions: object[] }>().sessions;
      // Nobody else's beside it.
      expect(sessions).toHaveLength(1);
      tokens.add(ucan);
    }
    expect(tokens.size).toBe(2);
  });
});
