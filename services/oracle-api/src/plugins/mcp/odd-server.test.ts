import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';
import { McpPeer } from './mcp-peer.fixture.js';

const schema = { type: 'object' };
/** Tools as real servers list them, in violation of the specification. */
const tools: object[] = [
  { name: 'stray', description: 'Reports progress that was not asked for.', inputSchema: schema },
  { name: 'untyped', description: null, inputSchema: { properties: { tags: { type: 'array' } } } },
  { name: 'bare', annotations: 'none' },
  { name: 7, inputSchema: schema },
  { description: 'Has no name.', inputSchema: schema },
  { name: 'both', description: 'Gives text and data.', inputSchema: schema },
];

function oddServer(): McpServer {
  const server = new McpServer({ name: 'odd', version: '1.0.0' }, { capabilities: { tools: {} } });
  let pages = 0;
  server.server.setRequestHandler(ListToolsRequestSchema, () => {
    pages += 1;
    return { tools: pages === 1 ? tools : [], nextCursor: 'stuck' } as never;
  });
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params: { name } }, { sendNotification }) => {
    const params = { progressToken: 'stray', progress: 1 };
    if (name === 'stray') await sendNotification({ method: 'notifications/progress', params });
    const text = { content: [{ type: 'text', text: `${name} is done` }] };
    return (name === 'both' ? { ...text, structuredContent: { sum: 5 } } : text) as never;
  });
  return server;
}

describe('a server that violates the specification', () => {
  const peer = new McpPeer(oddServer);
  let oracle: TestOracle;
  let user: TestUser;
  beforeAll(async () => {
    await peer.listen();
    oracle = await createTestOracle({ env: { MCP_SERVERS: JSON.stringify({ desk: { url: peer.url } }) } });
    user = await oracle.newUser();
  });
  afterAll(async () => {
    await oracle?.close();
    await peer.close();
  });

  it.each([
    ['stray', 'stray is done'],
    ['untyped', 'untyped is done'],
    ['bare', 'bare is done'],
    ['both', { text: 'both is done', data: { sum: 5 } }],
  ])('has its readable tools called: %s', async (tool, output) => {
    expect(await user.callTool(`desk__${tool}`, {})).toEqual({ status: 'done', output });
  });

  it('keeps its session over a progress notification with an unknown token, and a stuck cursor', () => {
    expect(peer.seen.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(1);
    expect(peer.seen.filter(({ rpc }) => rpc === 'tools/list')).toHaveLength(2);
  });
});
