import { randomBytes } from 'node:crypto';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { at } from '../../../test/bank-with-approvals.fixture.js';
import { createTestOracle, type TestOracle } from '../../create-test-oracle.js';
import { McpPeer } from './mcp-peer.fixture.js';

const signer = signerFromSeed(randomBytes(32));

describe('a tool of an MCP server that needs approval', { timeout: 60_000 }, () => {
  const [open, vault] = [new McpPeer(), new McpPeer()];
  let oracle: TestOracle;
  let me: ReturnType<typeof at>;
  let session: string;
  beforeAll(async () => {
    await Promise.all([open.listen(), vault.listen()]);
    const servers = { open: { url: open.url }, vault: { url: vault.url, protected: true } };
    const env = { MCP_SERVERS: JSON.stringify(servers), TOOL_APPROVAL: 'open__*=ask,vault__*=ask' };
    oracle = await createTestOracle({ env });
    const token = await mintInvocation({ signer, audience: oracle.oracle.did });
    me = at(oracle, { headers: { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' } });
  });
  beforeEach(async () => {
    open.seen.length = 0;
    vault.seen.length = 0;
    session = (await me.request('POST', '/sessions')).body.sessionId;
  });
  afterAll(async () => {
    await oracle?.close();
    await Promise.all([open.close(), vault.close()]);
  });

  const calls = (peer: McpPeer) => peer.seen.filter(({ rpc }) => rpc === 'tools/call');
  const mint = () => {
    const resource = `ixo:oracle:${oracle.oracle.did}:mcp/vault/echo`;
    const capability = { can: 'mcp/call', with: resource };
    return mintInvocation({ signer, audience: oracle.oracle.did, capability });
  };
  const echo = (server: string, extra: object = {}) =>
    me.request('POST', `/messages/${session}`, {
      message: `use the tool ${server}__echo with {"words":"gold"}`,
      ...extra,
    });

  it('is called once, after the approval', async () => {
    await echo('open');
    expect(await me.waiting()).toMatchObject([{ toolName: 'open__echo', plugin: 'mcp', args: { words: 'gold' } }]);
    expect(calls(open)).toEqual([]);
    const [call] = await me.waiting();
    await Promise.all([me.settle({ decision: 'allow' }, call), me.settle({ decision: 'allow' }, call)]);
    await me.ended(session);
    expect(calls(open)).toHaveLength(1);
    expect((await me.answer(session)).toolCalls).toMatchObject([{ name: 'open__echo', status: 'done' }]);
  });

  it('of a protected server is called with the invocation that comes with the approval', async () => {
    await echo('vault', { mcpInvocations: { 'vault/echo': await mint() } });
    expect(calls(vault)).toEqual([]);
    const token = await mint();
    expect(await me.settle({ decision: 'allow', mcpInvocations: { 'vault/echo': token } })).toMatchObject({
      code: 200,
    });
    await me.ended(session);
    expect(calls(vault).map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`]);
    expect((await me.answer(session)).content).toContain('gave back gold');
    expect(JSON.stringify((await me.request('GET', `/messages/${session}`)).body)).not.toContain(token);
  });

  it('reports a missing invocation if the approval does not repeat it, since the first one was not stored', async () => {
    await echo('vault', { mcpInvocations: { 'vault/echo': await mint() } });
    await me.settle({ decision: 'allow' });
    await me.ended(session);
    expect(calls(vault)).toEqual([]);
    expect((await me.answer(session)).content).toContain(
      'or once more with the approval, where the call has waited for one',
    );
  });

  it('refuses an approval with invalid invocations, and keeps waiting', async () => {
    await echo('vault');
    expect((await me.settle({ decision: 'allow', mcpInvocations: { 'vault/echo': 5 } })).code).toBe(400);
    expect(await me.waiting()).toHaveLength(1);
    await me.settle({ decision: 'deny' });
    await me.ended(session);
  });
});
