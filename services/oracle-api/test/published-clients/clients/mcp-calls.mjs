/** The calls of an MCP client to an oracle, with any transport. */
import { allow } from './allow.mjs';

export const textOf = ({ content }) => content.map(({ text = '' }) => text).join('');

/**
 * @param connected connects a client to a place, and closes it after the work
 * @param call calls a tool with the client
 * @param refusalOf what the client shows of a refused call
 */
export function mcpCalls(connected, call, refusalOf) {
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
        return refusalOf(await call(client, 'ask', { message: 'hi' }).catch((reason) => reason));
      }),
  };
}
