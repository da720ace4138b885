import type { z } from 'zod';
import type { PluginBoot } from '../../plugin-kit/plugin.js';
import type { PluginTool } from '../../plugin-kit/plugin-tool.js';
import { McpServer } from './mcp-server.js';
import { serverTools } from './server-tools.js';
import type { mcpSettings } from './settings.js';

export type McpBoot = Pick<
  PluginBoot<z.output<typeof mcpSettings>>,
  'config' | 'oracle' | 'outbound' | 'logger' | 'now'
>;

export interface OpenServers {
  /** The tools of all servers, which are asked at the same time. Never rejects. */
  tools(): Promise<readonly PluginTool[]>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Nothing is connected to yet. */
export function openServers({ config, oracle, outbound, logger, now }: McpBoot): OpenServers {
  const servers = config.MCP_SERVERS.map((setting) => new McpServer({ setting, outbound, logger, now }));
  return {
    tools: async () => (await Promise.all(servers.map((server) => serverTools(server, oracle)))).flat(),
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
