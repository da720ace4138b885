import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { authOf, listening } from '../../sockets/sockets.fixture.js';

/** The service with MCP enabled, and the official client for a user. */
export async function mcpService(options: Parameters<typeof listening>[0] = {}) {
  const service = await listening({ protocols: ['mcp'], ...options });
  const open: Client[] = [];
  const clientOf = async (letter: string) => {
    const { invocation } = await authOf(letter);
    const headers = { authorization: `Bearer ${invocation}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${service.base}/mcp`), { requestInit: { headers } });
    const client = new Client({ name: 'test', version: '1.0.0' });
    // With exactOptionalPropertyTypes the transport of the SDK does not match the SDK's own interface.
    await client.connect(transport as Transport);
    open.push(client);
    return client;
  };
  /** REST routes as the same user. */
  const ownOf = async (letter: string) => {
    const { invocation } = await authOf(letter);
    const headers = { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' };
    return async <Reply>(path: string): Promise<Reply> =>
      (await fetch(`${service.base}${path}`, { headers })).json() as Promise<Reply>;
  };
  const close = async () => {
    for (const client of open) await client.close();
    const closing = service.close();
    service.app.server.closeAllConnections();
    await closing;
  };
  return { ...service, clientOf, ownOf, close };
}
