/** `mcp-remote`, which a client with stdio only starts as its server. */
import { dirname, join } from 'node:path';
import { allow } from './allow.mjs';

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
  const textOf = ({ content }) => content.map(({ text = '' }) => text).join('');
  const call = (client, tool, args, options) => client.callTool({ name: tool, arguments: args }, undefined, options);

  return {
    stream: (place) =>
      connected(place, async (client) => {
        let isFirst = true;
        const onprogress = async ({ message }) => {
          if (!isFirst) return;
          isFirst = false;
          await place.checkpoint(message);
        };
        return { text: textOf(await call(client, 'ask', { message: 'hold' }, { onprogress })) };
      }),
    tools: (place) =>
      connected(place, async (client) => {
        const { tools } = await client.listTools();
        const result = await call(client, 'remember', { content: 'I like tea' });
        const recalled = await call(client, 'ask', { message: 'what do you remember' });
        const called = result.isError ? [] : tools.map(({ name: one }) => one).filter((one) => one === 'remember');
        return { text: textOf(recalled), called };
      }),
    structured: (place) =>
      connected(place, async (client) => {
        await client.listTools();
        return { object: (await call(client, 'ask', { message: 'say: hello' })).structuredContent };
      }),
    stop: (place) =>
      connected(place, async (client) => {
        const stopping = new AbortController();
        const onprogress = () => stopping.abort();
        await call(client, 'ask', { message: 'hold' }, { onprogress, signal: stopping.signal }).catch(() => undefined);
        await place.checkpoint('stopped');
        return { ended: 'disconnected' };
      }),
    approval: (place) =>
      connected(place, async (client) =>
        allow(place, textOf(await call(client, 'ask', { message: 'use the tool pay with {"amount": 5}' }))),
      ),
    limit: (place) =>
      connected(place, async (client) => {
        await call(client, 'ask', { message: 'hi' });
        const error = await call(client, 'ask', { message: 'hi' }).catch((reason) => reason);
        return { message: error.message };
      }),
  };
}
