import { randomBytes } from 'node:crypto';
import type { SandboxValues } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../src/create-test-oracle.js';

let oracle: TestOracle | undefined;
afterEach(() => oracle?.close());

describe('the description of the API', { timeout: 60_000 }, () => {
  it('creates a separate user for each visitor, with a valid token', async () => {
    oracle = await createTestOracle();
    const { inject } = oracle;
    const newUser = async () => (await inject({ method: 'POST', url: '/docs/try-as' })).json<SandboxValues>().locks;
    const seen = new Set<string>();
    for (const { ucan = '', ucanSelector = '' } of [await newUser(), await newUser()]) {
      const headers = { authorization: `Bearer ${ucan}`, 'x-auth-type': ucanSelector };
      expect((await inject({ method: 'POST', url: '/sessions', headers })).statusCode).toBe(201);
      const { sessions } = (await inject({ url: '/sessions', headers })).json<{ sessions: { sessionId: string }[] }>();
      expect(sessions.length).toBeGreaterThan(1);
      for (const { sessionId } of sessions) {
        // Not a session of another user.
        expect(seen).not.toContain(sessionId);
        seen.add(sessionId);
      }
    }
  });

  it('creates none in production', async () => {
    const SEAL_KEYS = `k1:${randomBytes(32).toString('base64')}`;
    const env = { NODE_ENV: 'production', ALLOW_EMBEDDED: 'true', ORACLE_DID: 'did:ixo:entity:e0001', SEAL_KEYS };
    oracle = await createTestOracle({ env });
    expect((await oracle.inject({ method: 'POST', url: '/docs/try-as' })).statusCode).toBe(404);
    expect((await oracle.inject('/docs/')).body).not.toContain('try-as');
  });
});
