import type { z } from 'zod';
import type { PluginBoot } from '../plugin.js';
import type { PluginTool } from '../plugin-tool.js';
import { McpServer } from './mcp-server.js';
import { serverTools } from './server-tools.js';
import type { mcpSettings } from './settings.js';

export type McpBoot = Pick<
  PluginBoot<z.output<typeof mcpSettings>>,
  'config' | 'oracle' | 'outbound' | 'logger' | 'now'
>;

/** What lists the tools of all servers, which are asked at the same time. Nothing is connected to yet. */
export function openServers({ config, oracle, outbound, logger, now }: McpBoot): () => Promise<PluginTool[]> {
  const servers = config.MCP_SERVERS.map((setting) => new McpServer({ setting, outbound, logger, now }));
  return async () => (await Promise.all(servers.map((server) => serverTools(server, oracle)))).flat();
}
