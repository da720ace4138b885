import { Writable } from 'node:stream';
import { createOutbound } from '@mlango/outbound/outbound';
import { createLogger } from '@mlango/service-kit/logging';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { McpPeer } from './mcp-peer.fixture.js';
import { McpServer } from './mcp-server.js';

const outbound = createOutbound({ privateHosts: [{ host: '127.0.0.1' }] });
afterAll(() => outbound.close());

describe('the tools of a server', () => {
  let peer: McpPeer;
  let logged: string;
  let nowMs: number;
  beforeEach(async () => {
    peer = await new McpPeer().listen();
    logged = '';
    nowMs = 1_000_000;
  });
  afterEach(() => peer.close());

  const open = (url = peer.url, listLimitMs = 20_000) => {
    const destination = new Writable({
      write: (chunk, _, done) => {
        logged += String(chunk);
        done();
      },
    });
    const headers = { 'x-api-key': 'of-the-oracle' };
    return new McpServer({
      setting: { name: 'desk', url, isProtected: false, headers },
      outbound,
      logger: createLogger({ service: 'test', level: 'warn', destination }),
      now: () => new Date(nowMs),
      listLimitMs,
    });
  };
  const namesOf = async (server: McpServer) => (await server.tools()).map(({ name }) => name);
  const asked = () => peer.seen.filter(({ rpc }) => rpc === 'tools/list').length;

  it('are listed once for concurrent turns, and again a minute later', async () => {
    const server = open();
    await Promise.all(Array.from({ length: 5 }, () => namesOf(server)));
    expect(await namesOf(server)).toContain('echo');
    expect(asked()).toBe(1);
    nowMs += 60_000;
    await namesOf(server);
    expect(asked()).toBe(2);
    expect(peer.sessions).toBe(1);
  });

  it('are not cancelled after the reply, when their deadline passes', async () => {
    const server = open();
    const asking = new AbortController();
    await server.call('echo', { words: 'a' }, asking.signal);
    asking.abort();
    await server.call('echo', { words: 'b' }, new AbortController().signal);
    expect(peer.seen.map(({ rpc }) => rpc)).not.toContain('notifications/cancelled');
  });

  it('are empty while the server does not respond: this is logged, and retried after a pause', async () => {
    peer.intercept = () => true;
    const server = open(peer.url, 1_000);
    expect(await namesOf(server)).toEqual([]);
    expect(logged).toContain('MCP server skipped');
    expect(logged).toContain('"server":"desk"');
    expect(logged).not.toContain('of-the-oracle');
    const requests = peer.seen.length;
    nowMs += 14_999;
    expect(await namesOf(server)).toEqual([]);
    expect(peer.seen).toHaveLength(requests);
    peer.intercept = () => false;
    nowMs += 1;
    expect(await namesOf(server)).toContain('echo');
  });

  it('are empty while the port is closed, and the log contains the reason', async () => {
    const { url } = peer;
    await peer.close();
    expect(await namesOf(open(url))).toEqual([]);
    expect(logged).toContain('ECONNREFUSED');
    await peer.listen();
  });

  it('are listed again on a new session when the server has dropped the first', async () => {
    const server = open();
    await namesOf(server);
    peer.forgetSessions();
    nowMs += 60_000;
    expect(await namesOf(server)).toContain('echo');
    expect(logged).toBe('');
  });

  it.each([
    ['text/html', '<html>'],
    ['application/json', '{"jsonrpc":"2.0","id":0,"result":"no"}'],
    ['application/json', 'x'.repeat(2_000_000)],
  ])('are empty if another server answers, as %s', async (type, body) => {
    peer.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
      return true;
    };
    expect(await namesOf(open())).toEqual([]);
  });
});
