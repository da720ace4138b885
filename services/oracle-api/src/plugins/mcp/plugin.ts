import type { OracleIdentity } from '../../identity/oracle-identity.js';
import { definePlugin } from '../define-plugin.js';
import { McpServer } from './mcp-server.js';
import { serverTools } from './server-tools.js';
import { mcpSettings } from './settings.js';

interface Held {
  readonly oracle: OracleIdentity;
  readonly servers: readonly McpServer[];
}

/** The servers of each oracle of this process, by its settings: a plugin is shared among oracles, connections are not. */
const heldBy = new WeakMap<object, Held>();

/** Tools of servers that speak the Model Context Protocol. */
export const mcp = definePlugin({
  name: 'mcp',
  version: '1.0.0',
  manifest: {
    title: 'MCP servers',
    summary: 'Brings the tools of other services; their names begin with the name of the service and "__".',
    whenToUse: 'one of those tools fits what the user asks for.',
    visibility: 'always',
  },
  configSchema: mcpSettings,
  autoDetect: (env) => [env['MCP_SERVERS'], env['MCP_SERVERS_FILE']].some((value) => (value ?? '') !== ''),
  getTools: ({ config, oracle, logger, now }) => {
    const servers = config.MCP_SERVERS.map((setting) => new McpServer({ setting, logger, now }));
    heldBy.set(config, { oracle, servers });
    return [];
  },
  getRequestTools: async ({ config }) => {
    const held = heldBy.get(config);
    if (held === undefined) return [];
    const { servers, oracle } = held;
    return (await Promise.all(servers.map((server) => serverTools(server, oracle)))).flat();
  },
});
