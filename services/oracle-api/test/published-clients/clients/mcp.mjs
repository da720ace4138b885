/** MCP clients over Streamable HTTP: the SDK, and the client of its next major version. */
import { mcpCalls, textOf } from './mcp-calls.mjs';

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

  return {
    ...mcpCalls(connected, call, (error) => ({ status: error.data?.status ?? error.code, message: error.message })),
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
  };
}
