import type { z } from 'zod';
import type { PluginBoot } from '../api/plugin.js';
import type { Acting } from './invocations.js';
import { McpServer } from './mcp-server.js';
import { serverTools } from './server-tools.js';
import type { mcpSettings } from './settings.js';

export type McpBoot = PluginBoot<z.output<typeof mcpSettings>>;

/** The servers of one oracle, not connected yet. Neither member rejects. */
export function openServers({ config, oracle, outbound, logger, now }: McpBoot) {
  const servers = config.MCP_SERVERS.map((setting) => new McpServer({ setting, outbound, logger, now }));
  return {
    /** The tools of all servers, listed in parallel. */
    tools: async (turn: Acting) =>
      (await Promise.all(servers.map((server) => serverTools(server, oracle, turn)))).flat(),
    close: () => Promise.all(servers.map((server) => server.close())),
  };
}
