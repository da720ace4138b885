import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeUnknown } from '../../agent/loop/turn-tool.js';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';
import { toolNameFor } from './invocations.js';
import { McpPeer } from './mcp-peer.fixture.js';

const sse = { 'content-type': 'text/event-stream' };

describe('an oracle with servers of the Model Context Protocol', () => {
  const peer = new McpPeer();
  const gone = new McpPeer();
  let oracle: TestOracle;
  let user: TestUser;
  beforeAll(async () => {
    await peer.listen();
    await gone.listen();
    await gone.close();
    const servers = { desk: { url: peer.url, headers: { 'X-Api-Key': 'of-the-oracle' } }, gone: { url: gone.url } };
    oracle = await createTestOracle({ env: { MCP_SERVERS: JSON.stringify(servers) } });
    user = await oracle.newUser();
  });
  beforeEach(() => {
    peer.seen.length = 0;
    peer.intercept = () => false;
  });
  afterAll(async () => {
    await oracle?.close();
    await peer.close();
  });

  it('calls their tools from plain sentences and by name, and skips an unavailable server', async () => {
    expect(await user.say('Desk echo hello there')).toBe('desk__echo gave back hello there');
    expect(await user.callTool('desk__add', { a: 2, b: 3 })).toEqual({ status: 'done', output: { sum: 5 } });
    expect((await user.callTool(toolNameFor('desk', 'odd.name'))).output).toBe('odd');
    expect(await user.say('Remember that my goat is called Zuri')).toContain('I will remember');
  });

  it('shares one session among turns, and caches the list of tools', async () => {
    await user.callTool('desk__echo', { words: 'a' });
    await user.callTool('desk__echo', { words: 'b' });
    expect(peer.seen.map(({ rpc }) => rpc)).toEqual(['tools/call', 'tools/call']);
    expect(peer.sessions).toBe(1);
    expect(peer.seen[0]?.headers).toMatchObject({ 'x-api-key': 'of-the-oracle' });
  });

  it('continues when a server has dropped the session or was restarted', async () => {
    peer.forgetSessions();
    expect((await user.callTool('desk__echo', { words: 'again' })).output).toBe('again');
    await peer.close();
    expect((await user.callTool('desk__echo', { words: 'x' })).output).toEqual({
      error: 'desk cannot be reached just now.',
    });
    await peer.listen();
    expect((await user.callTool('desk__echo', { words: 'back' })).output).toBe('back');
  });

  it('explains failures to the model', async () => {
    const errorOf = async (tool: string, args = {}) => (await user.callTool(tool, args)).output;
    expect(await errorOf('desk__fail')).toEqual({ error: 'no such shelf' });
    expect(await errorOf('desk__add', { a: 'two', b: 3 })).toEqual({
      error: expect.stringContaining('The arguments do not fit'),
    });
    expect(await errorOf('desk__huge')).toEqual({ error: 'The result of the tool is too long to be read.' });
    peer.intercept = ({ method }, response) => {
      if (method !== 'POST') return false;
      response.writeHead(403).end('secret words of the server');
      return true;
    };
    expect(await errorOf('desk__echo', { words: 'x' })).toEqual({ error: 'desk refuses this call.' });
  });

  it('does not follow a redirect', async () => {
    const other = await new McpPeer().listen();
    peer.intercept = (_, response) => {
      response.writeHead(307, { location: other.url }).end();
      return true;
    };
    expect((await user.callTool('desk__echo', { words: 'x' })).output).toEqual({
      error: 'desk cannot be reached just now.',
    });
    expect(other.seen).toEqual([]);
    await other.close();
  });

  it('fails a call at once when the reply breaks off', async () => {
    peer.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: message\n');
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    expect((await user.callTool('desk__echo', { words: 'x' })).output).toEqual({
      error: 'desk cannot be reached just now.',
    });
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['dies', (response) => response.destroy()],
    ['begins to answer and dies', (response) => response.writeHead(200, sse).write(':', () => response.destroy())],
    ['is behind a proxy that times out', (response) => response.writeHead(504).end()],
  ])('reports an unknown outcome when a server %s in the middle of a call', async (_, end) => {
    peer.intercept = (_request, response) => {
      const isCall = peer.seen.at(-1)?.rpc === 'tools/call';
      if (isCall) end(response);
      return isCall;
    };
    expect(await user.callTool('desk__echo', { words: 'x' })).toEqual({
      status: 'unknown',
      output: { error: `desk did not answer. ${outcomeUnknown}` },
    });
    expect(await user.callTool('desk__look', { words: 'x' })).toEqual({
      status: 'error',
      output: { error: 'desk did not answer.' },
    });
  });

  it('ends a call with its turn', async () => {
    const sessionId = await user.openSession();
    const { headers, inject } = { headers: user.headers, inject: oracle.inject };
    const payload = { message: 'use the tool desk__slow' };
    const sent = inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
    await expect.poll(() => peer.seen.some(({ rpc }) => rpc === 'tools/call')).toBe(true);
    const abort = await inject({ method: 'POST', url: '/messages/abort', headers, payload: { sessionId } });
    expect(abort.json()).toEqual({ success: true });
    await sent;
    await expect.poll(() => peer.seen.some(({ rpc }) => rpc === 'notifications/cancelled')).toBe(true);
  });

  it('ends its session at a server when the oracle closes', async () => {
    peer.forgetSessions();
    await user.callTool('desk__echo', { words: 'bye' });
    expect(peer.sessions).toBe(1);
    await oracle.close();
    expect(peer.sessions).toBe(0);
  });
});
