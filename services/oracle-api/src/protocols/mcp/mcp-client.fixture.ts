import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { authOf, listening } from '../../sockets/sockets.fixture.js';

/** The service with this door, and the published client of a user of it. */
export async function mcpService(options: Parameters<typeof listening>[0] = {}) {
  const service = await listening({ doors: ['mcp'], ...options });
  const open: Client[] = [];
  const clientOf = async (letter: string) => {
    const { invocation } = await authOf(letter);
    const headers = { authorization: `Bearer ${invocation}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${service.base}/mcp`), { requestInit: { headers } });
    const client = new Client({ name: 'test', version: '1.0.0' });
    // The SDK's own transport does not fit its own interface under exactOptionalPropertyTypes.
    await client.connect(transport as Transport);
    open.push(client);
    return client;
  };
  /** Our own routes, as the same user. */
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
