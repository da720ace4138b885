/** LangChain's adapters, which make the tools of an MCP server tools of LangChain. */
import { allow } from './allow.mjs';

export default async function features(name) {
  const { MultiServerMCPClient } = await import(name);

  const connected = async ({ url, token }, work, { signal, ...options } = {}) => {
    const headers = { authorization: `Bearer ${token}` };
    const client = new MultiServerMCPClient({
      mcpServers: { oracle: { transport: 'http', url: `${url}/mcp`, headers, automaticSSEFallback: false } },
      ...options,
    });
    try {
      const tools = await client.getTools();
      /** The adapters return a result with structured content as one JSON text. */
      const call = async (name, args) => {
        const tool = tools.find((one) => one.name === name);
        const message = { type: 'tool_call', id: crypto.randomUUID(), name, args };
        const { content } = await tool.invoke(message, signal && { signal });
        return JSON.parse(content);
      };
      return await work(call);
    } finally {
      await client.close();
    }
  };

  return {
    async stream(place) {
      let isFirst = true;
      const onProgress = async ({ message }) => {
        if (!isFirst) return;
        isFirst = false;
        await place.checkpoint(message);
      };
      const work = async (call) => ({ text: (await call('ask', { message: 'hold' })).text });
      return connected(place, work, { onProgress });
    },
    tools: (place) =>
      connected(place, async (call) => {
        await call('remember', { content: 'I like tea' });
        return { text: (await call('ask', { message: 'what do you remember' })).text, called: ['remember'] };
      }),
    structured: (place) =>
      connected(place, async (call) => ({ object: (await call('ask', { message: 'say: hello' })).structuredContent })),
    async stop(place) {
      const stopping = new AbortController();
      const onProgress = () => stopping.abort();
      const work = async (call) => {
        await call('ask', { message: 'hold' }).catch(() => undefined);
        await place.checkpoint('stopped');
        return { ended: 'disconnected' };
      };
      return connected(place, work, { onProgress, signal: stopping.signal });
    },
    approval: (place) =>
      connected(place, async (call) =>
        allow(place, (await call('ask', { message: 'use the tool pay with {"amount": 5}' })).text),
      ),
    limit: (place) =>
      connected(place, async (call) => {
        await call('ask', { message: 'hi' });
        const error = await call('ask', { message: 'hi' }).catch((reason) => reason);
        return { message: error.message };
      }),
  };
}
