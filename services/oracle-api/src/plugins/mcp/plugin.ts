import { definePlugin } from '../define-plugin.js';
import type { PluginTool } from '../plugin-tool.js';
import type { McpBoot } from './open-servers.js';
import { mcpSettings } from './settings.js';

type ListTools = () => Promise<readonly PluginTool[]>;

/** The servers of each oracle of this process, by its settings: a plugin is shared among oracles, connections are not. */
const listedBy = new WeakMap<object, ListTools>();

/** What speaks the protocol is loaded with the first turn: it is large, and most oracles have no servers. */
function atFirstTurn(boot: McpBoot): ListTools {
  let opening: Promise<ListTools> | undefined;
  return async () => {
    opening ??= import('./open-servers.js').then(({ openServers }) => openServers(boot));
    return (await opening)();
  };
}

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
  getTools: (boot) => {
    listedBy.set(boot.config, atFirstTurn(boot));
    return [];
  },
  getRequestTools: async ({ config }) => (await listedBy.get(config)?.()) ?? [],
});
