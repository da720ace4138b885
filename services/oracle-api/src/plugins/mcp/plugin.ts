import { definePlugin } from '../../plugin-kit/define-plugin.js';
import type { McpBoot, OpenServers } from './open-servers.js';
import { mcpSettings } from './settings.js';

/** The servers of each oracle of this process, by its settings: a plugin is shared among oracles, connections are not. */
const openedBy = new WeakMap<object, OpenServers>();

/** What speaks the protocol is loaded with the first turn: it is large, and most oracles have no servers. */
function atFirstTurn(boot: McpBoot): OpenServers {
  let opening: Promise<OpenServers> | undefined;
  return {
    tools: async () => {
      opening ??= import('./open-servers.js').then(({ openServers }) => openServers(boot));
      return (await opening).tools();
    },
    close: async () => (await opening)?.close(),
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
  receives: ['mcpInvocations'],
  configSchema: mcpSettings,
  autoDetect: (env) => [env['MCP_SERVERS'], env['MCP_SERVERS_FILE']].some((value) => (value ?? '') !== ''),
  getTools: (boot) => {
    openedBy.set(boot.config, atFirstTurn(boot));
    return [];
  },
  getRequestTools: async ({ config }) => (await openedBy.get(config)?.tools()) ?? [],
  close: async ({ config }) => openedBy.get(config)?.close(),
});
