import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../create-test-oracle.js';

describe.each(['/mcp', '/a2a'])('JSON-RPC at %s', (url) => {
  let oracle: TestOracle;
  let user: TestUser;
  beforeAll(async () => {
    oracle = await createTestOracle({ env: { DOORS: 'mcp,a2a' } });
    user = await oracle.newUser();
  });
  afterAll(() => oracle?.close());

  it.each([
    ['not JSON', '{', -32_700],
    ['not a request', '[]', -32_600],
    ['of another version', '{"jsonrpc":"1.0","id":1,"method":"x"}', -32_600],
    ['for an unknown method, with null parameters', '{"jsonrpc":"2.0","id":1,"method":"x","params":null}', -32_601],
    ['for an unknown method', '{"jsonrpc":"2.0","id":1,"method":"x"}', -32_601],
  ])('uses the standard error code for a payload that is %s', async (_, payload, code) => {
    const headers = { ...user.headers, 'content-type': 'application/json' };
    const reply = await oracle.inject({ method: 'POST', url, headers, payload });
    expect(reply.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });
});
