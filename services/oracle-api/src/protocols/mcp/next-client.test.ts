import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { openDoor } from '../open-protocol.fixture.js';

it('a client of the next major version negotiates down, lists the tools and calls ask', async () => {
  const { base, headersOf } = await openDoor('mcp');
  const headers = await headersOf('a');
  const client = new Client({ name: 'next', version: '2.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('ask');
  const answer = await client.callTool({ name: 'ask', arguments: { message: 'say: hello' } });
  expect(answer).toMatchObject({ content: [{ type: 'text', text: 'hello' }] });
  await client.close();
});
