import { definePlugin } from '../api/define-plugin.js';
import type { McpBoot, openServers } from './open-servers.js';
import { mcpSettings } from './settings.js';

type Servers = ReturnType<typeof openServers>;

/** Servers of each oracle in this process, by its settings: oracles share the plugin, but not connections. */
const oracles = new WeakMap<object, { readonly boot: McpBoot; servers?: Promise<Servers> }>();

/** The client library is loaded with the first turn: it is large, and most oracles have no servers. */
async function serversOf(config: object): Promise<Servers | undefined> {
  const oracle = oracles.get(config);
  if (oracle === undefined) return undefined;
  oracle.servers ??= import('./open-servers.js').then((loaded) => loaded.openServers(oracle.boot));
  return oracle.servers;
}

/** Tools of servers that implement the Model Context Protocol. */
export const mcp = definePlugin({
  name: 'mcp',
  version: '1.0.0',
  manifest: {
    title: 'MCP servers',
    summary: 'Brings the tools of other services; their names begin with the name of the service and "__".',
    whenToUse: 'one of those tools fits what the user asks for.',
    visibility: 'always',
  },
  receives: ['mcpInvocations'],
  configSchema: mcpSettings,
  autoDetect: (env) => [env['MCP_SERVERS'], env['MCP_SERVERS_FILE']].some((value) => (value ?? '') !== ''),
  getTools: (boot) => {
    oracles.set(boot.config, { boot });
    return [];
  },
  getRequestTools: async (turn) => (await (await serversOf(turn.config))?.tools(turn)) ?? [],
  close: async ({ config }) => {
    await (await oracles.get(config)?.servers)?.close();
  },
});
