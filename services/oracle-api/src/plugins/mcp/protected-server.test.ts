import { randomBytes } from 'node:crypto';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../../create-test-oracle.js';
import { McpPeer } from './mcp-peer.fixture.js';

const [asha, bo] = [signerFromSeed(randomBytes(32)), signerFromSeed(randomBytes(32))];

describe('a protected server', () => {
  const peer = new McpPeer();
  let oracle: TestOracle;
  beforeAll(async () => {
    await peer.listen();
    const servers = { vault: { url: peer.url, protected: true, headers: { Authorization: 'Bearer of-the-oracle' } } };
    const ORACLE_ENTITY_DID = 'did:ixo:entity:e0001';
    oracle = await createTestOracle({ env: { MCP_SERVERS: JSON.stringify(servers), ORACLE_ENTITY_DID } });
  });
  beforeEach(() => {
    peer.seen.length = 0;
  });
  afterAll(async () => {
    await oracle?.close();
    await peer.close();
  });

  const resource = (tool = 'echo', did = oracle.oracle.did) => `ixo:oracle:${did}:mcp/vault/${tool}`;
  const mint = (options: Partial<Parameters<typeof mintInvocation>[0]> = {}) =>
    mintInvocation({
      signer: asha,
      audience: oracle.oracle.did,
      capability: { can: 'mcp/call', with: resource() },
      ...options,
    });

  /** Returns the result of the tool `echo` for Asha. */
  async function call(mcpInvocations?: Record<string, string>): Promise<string> {
    const token = await mintInvocation({ signer: asha, audience: oracle.oracle.did });
    const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
    const session = await oracle.inject({ method: 'POST', url: '/sessions', headers });
    const url = `/messages/${session.json<{ sessionId: string }>().sessionId}`;
    const message = 'use the tool vault__echo with {"words":"gold"}';
    const payload = { message, ...(mcpInvocations === undefined ? {} : { mcpInvocations }) };
    const reply = await oracle.inject({ method: 'POST', url, headers, payload });
    expect(reply.body).not.toContain(mcpInvocations?.['vault/echo'] ?? 'Bearer');
    return reply.json<{ message: { content: string } }>().message.content;
  }
  const calls = () => peer.seen.filter(({ rpc }) => rpc === 'tools/call');

  it('is not called without an invocation, and the model can name the missing one', async () => {
    expect(await call()).toContain(
      `echo of vault is protected. The user has to send an invocation of mcp/call on ${resource()} along with the message`,
    );
    expect(await call({ 'vault/add': await mint() })).toContain('is protected');
    expect(calls()).toEqual([]);
  });

  it.each(['vault/echo', 'vault__echo', 'echo'])(
    'is called with one that is named %s, which is forwarded',
    async (name) => {
      const token = await mint();
      expect(await call({ [name]: token })).toBe('vault__echo gave back gold');
      const [seen] = calls();
      expect(calls()).toHaveLength(1);
      expect(seen?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
    },
  );

  it('accepts one that names the oracle by its entity', async () => {
    const audience = 'did:ixo:entity:e0001';
    const capability = { can: 'mcp/call', with: resource('echo', audience) };
    expect(await call({ 'vault/echo': await mint({ audience, capability }) })).toBe('vault__echo gave back gold');
  });

  it('has a separate session for the call, which is closed, and lists its tools as the oracle', async () => {
    await call({ 'vault/echo': await mint() });
    await call({ 'vault/echo': await mint() });
    const ids = calls().map(({ headers }) => headers['mcp-session-id']);
    expect(new Set(ids).size).toBe(2);
    await expect.poll(() => peer.sessions).toBe(1);
    const listing = peer.seen.filter(({ rpc }) => rpc === 'tools/list');
    for (const { headers } of listing) expect(headers.authorization).toBe('Bearer of-the-oracle');
  });

  it('is not called with an invalid invocation', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const no = 'it is not an invocation of mcp/call on this tool by this user';
    const others: [string, Promise<string>, string][] = [
      ['of another user', mint({ signer: bo }), no],
      ['of another tool', mint({ capability: { can: 'mcp/call', with: resource('add') } }), no],
      ['of all tools', mint({ capability: { can: 'mcp/call', with: resource('*') } }), no],
      ['of another ability', mint({ capability: { can: '*', with: resource() } }), no],
      ['to log in with', mint({ capability: { can: '*', with: 'ixo:oracle' } }), no],
      ['with a caveat', mint({ capability: { can: 'mcp/call', with: resource(), nb: { words: 'tin' } } }), no],
      ['for another oracle', mint({ audience: bo.did }), no],
      ['that lives too long', mint({ expiresAt: seconds + 86_400 }), no],
      ['that has expired', mint({ expiresAt: seconds - 1 }), 'it has expired, and the user has to send a new one'],
      ['that is no token', Promise.resolve('b2theQ=='), no],
    ];
    for (const [what, token, words] of others) {
      expect(await call({ 'vault/echo': await token }), what).toContain(
        `The invocation that came with the message does not open echo of vault: ${words}.`,
      );
    }
    expect(calls()).toEqual([]);
  });
});
