import { randomBytes } from 'node:crypto';
import {
  mintDelegation,
  mintInvocation,
  mintRevocation,
  signerFromSeed,
  type UcanSigner,
} from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleSocketApproval } from '../agent/suspension.js';
import { createTestOracle, type TestOracle } from '../create-test-oracle.js';

let oracle: TestOracle;
let asha: UcanSigner;
beforeAll(async () => {
  oracle = await createTestOracle({ env: { API_KEYS: 'on' } });
  asha = signerFromSeed(randomBytes(32));
});
afterAll(() => oracle.close());

const ucan = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
const send = (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: object) =>
  oracle.inject({ method, url, headers, ...(payload && { payload }) });
const makeKey = (headers: Record<string, string>) =>
  send('POST', '/api-keys', headers, { name: 'a script', scopes: ['read'] });
const requireApproval = (headers: Record<string, string>) =>
  send('POST', '/approvals/always', headers, { says: 'ask', plugin: 'memory', toolName: 'forget' });

/** Headers available to a thief of the user's delegation: the delegation, or an invocation based on it. */
async function stolen(): Promise<Record<string, string>[]> {
  const capability = { can: '*', with: 'ixo:oracle' } as const;
  const delegation = await mintDelegation({ signer: asha, audience: oracle.oracle.did, capabilities: [capability] });
  const thief = signerFromSeed(randomBytes(32));
  const conversing = { can: 'oracle/converse', with: asha.did } as const;
  const proof = await mintDelegation({ signer: asha, audience: thief.did, capabilities: [conversing] });
  const audience = oracle.oracle.did;
  const invocation = await mintInvocation({ signer: thief, audience, capability: conversing, proofs: [proof] });
  return [{ 'x-ucan-delegation': delegation }, ucan(invocation)];
}

describe('a right that outlives its token', () => {
  it('requires the user’s own signature', async () => {
    for (const headers of await stolen()) {
      for (const reply of [await makeKey(headers), await requireApproval(headers)]) {
        expect([401, 403], reply.body).toContain(reply.statusCode);
      }
    }
    const own = ucan(await mintInvocation({ signer: asha, audience: oracle.oracle.did }));
    expect([(await makeKey(own)).statusCode, (await requireApproval(own)).statusCode]).toEqual([201, 201]);
  });

  it('is revoked with the invocation that created it, if it is an API key', async () => {
    const token = await mintInvocation({ signer: asha, audience: oracle.oracle.did });
    const { key } = (await makeKey(ucan(token))).json<{ key: string }>();
    const byKey = { authorization: `Bearer ${key}` };
    expect((await send('GET', '/sessions', byKey)).statusCode).toBe(200);
    const revocation = await mintRevocation({ signer: asha, audience: oracle.oracle.did, token });
    const revoked = await send(
      'POST',
      '/revocations',
      ucan(await mintInvocation({ signer: asha, audience: oracle.oracle.did })),
      {
        token: revocation,
      },
    );
    expect(revoked.statusCode).toBe(200);
    expect((await send('GET', '/sessions', byKey)).statusCode).toBe(401);
  });

  it('is refused on a socket with weaker authentication', async () => {
    const settle = async () => ({ kind: 'settled' as const });
    const parts = {
      approvals: { settle },
      runRepository: { find: async () => undefined },
      turns: { resume: async () => undefined },
    };
    const decide = (isOwnSignature: boolean | undefined, decision: string) =>
      settleSocketApproval(
        parts as never,
        { did: asha.did, right: { isOwnSignature } },
        { runId: 'r', toolCallId: 'c', decision },
      );
    expect(await decide(true, 'always')).toMatchObject({ ok: true });
    expect(await decide(false, 'always')).toMatchObject({ ok: false, status: 'forbidden' });
    expect(await decide(undefined, 'always')).toMatchObject({ ok: false, status: 'forbidden' });
    expect(await decide(false, 'allow')).toMatchObject({ ok: true });
  });
});
