/** MCP clients over Streamable HTTP: the SDK, and the client of its next major version. */
import { allow } from './allow.mjs';

export default async function features(name) {
  const isSdk = name.endsWith('/sdk');
  const { Client } = await import(isSdk ? `${name}/client/index.js` : name);
  const { StreamableHTTPClientTransport } = await import(isSdk ? `${name}/client/streamableHttp.js` : name);

  const connected = async ({ url, token }, work, fetchOf = fetch) => {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit, fetch: fetchOf });
    const client = new Client({ name: 'published-clients', version: '1.0.0' });
    await client.connect(transport);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };
  const call = (client, tool, args, options) =>
    isSdk
      ? client.callTool({ name: tool, arguments: args }, undefined, options)
      : client.callTool({ name: tool, arguments: args }, options);
  const textOf = ({ content }) => content.map(({ text = '' }) => text).join('');

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
    resume(place) {
      let breaks = 1;
      // The first answer breaks after its first progress; the client continues with Last-Event-ID.
      const fetchOf = async (where, init) => {
        const response = await fetch(where, init);
        const isCall = typeof init?.body === 'string' && init.body.includes('tools/call');
        if (!isCall || breaks-- <= 0) return response;
        const reader = response.body.getReader();
        const decoder = new TextDecoder();
        const body = new ReadableStream({
          async pull(controller) {
            const { value, done } = await reader.read();
            if (done) return controller.close();
            controller.enqueue(value);
            if (!decoder.decode(value).includes('Well, ')) return;
            await reader.cancel();
            controller.error(new TypeError('terminated'));
            await place.checkpoint('broken');
          },
        });
        return new Response(body, response);
      };
      const options = { onprogress: () => undefined };
      return connected(
        place,
        async (client) => ({ text: textOf(await call(client, 'ask', { message: 'hold' }, options)) }),
        fetchOf,
      );
    },
    approval: (place) =>
      connected(place, async (client) =>
        allow(place, textOf(await call(client, 'ask', { message: 'use the tool pay with {"amount": 5}' }))),
      ),
    limit: (place) =>
      connected(place, async (client) => {
        await call(client, 'ask', { message: 'hi' });
        const error = await call(client, 'ask', { message: 'hi' }).catch((reason) => reason);
        return { status: error.data?.status ?? error.code, message: error.message };
      }),
  };
}
