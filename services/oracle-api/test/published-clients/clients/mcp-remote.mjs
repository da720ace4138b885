/** `mcp-remote`, which a client with stdio only starts as its server. */
import { dirname, join } from 'node:path';
import { mcpCalls } from './mcp-calls.mjs';

export default async function features(name) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { readFile } = await import('node:fs/promises');
  const manifest = join(import.meta.dirname, 'node_modules', name, 'package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8'));
  const proxy = join(dirname(manifest), bin[name]);

  const connected = async ({ url, token, folder }, work) => {
    const args = [
      proxy,
      `${url}/mcp`,
      '--allow-http',
      '--transport',
      'http-only',
      '--header',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote replaces the variable.
      'Authorization:${TOKEN}',
    ];
    const env = { PATH: process.env.PATH, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, TOKEN: `Bearer ${token}` };
    const client = new Client({ name: 'published-clients', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };
  const call = (client, tool, args, options) => client.callTool({ name: tool, arguments: args }, undefined, options);

  return mcpCalls(connected, call, (error) => ({ message: error.message }));
}
