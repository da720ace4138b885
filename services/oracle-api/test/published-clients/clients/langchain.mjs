/** `ChatOpenAI` of LangChain, by chat completions and by responses. */
import { allow } from './allow.mjs';

export default async function features(name, api) {
  const { ChatOpenAI } = await import(name);
  const { HumanMessage, ToolMessage } = await import('@langchain/core/messages');
  const { z } = await import('zod');
  const chatOf = ({ url, token }, options = {}) =>
    new ChatOpenAI({
      model: 'scripted',
      apiKey: token,
      useResponsesApi: api === 'responses',
      configuration: { baseURL: `${url}/v1` },
      maxRetries: 0,
      ...options,
    });

  return {
    async stream(place) {
      let text = '';
      for await (const chunk of await chatOf(place).stream('hold')) {
        const isFirst = text === '';
        text += chunk.text;
        if (isFirst && text !== '') await place.checkpoint(text);
      }
      return { text };
    },
    async tools(place) {
      return { text: (await chatOf(place).invoke('remember that I like tea')).text };
    },
    async pageTools(place) {
      const schema = z.object({ by: z.number() });
      const chat = chatOf(place).bindTools([{ name: 'zoom', description: 'Zooms the page', schema }]);
      const messages = [new HumanMessage('use the tool zoom with {"by": 2}')];
      const called = await chat.invoke(messages);
      const [{ id, args }] = called.tool_calls;
      messages.push(called, new ToolMessage({ content: `zoomed ${args.by} times`, tool_call_id: id }));
      return { text: (await chat.invoke(messages)).text };
    },
    async files(place) {
      const content = [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: place.picture } },
      ];
      await chatOf(place).invoke([new HumanMessage({ content })]);
    },
    async structured(place) {
      const schema = z.object({ city: z.string(), rain: z.boolean() });
      const structured = chatOf(place).withStructuredOutput(schema, { name: 'weather', method: 'jsonSchema' });
      return { object: await structured.invoke('{"city":"Nairobi","rain":true}') };
    },
    async stop(place) {
      const stopping = new AbortController();
      const options = api === 'responses' ? { modelKwargs: { store: false } } : {};
      const read = async () => {
        const stream = await chatOf(place, options).stream('hold', { signal: stopping.signal });
        for await (const chunk of stream) if (chunk.text !== '') stopping.abort();
      };
      await read().catch(() => undefined);
      return { ended: 'disconnected' };
    },
    async approval(place) {
      return allow(place, (await chatOf(place).invoke('use the tool pay with {"amount": 5}')).text);
    },
    async limit(place) {
      const send = () => chatOf(place).invoke('hi');
      await send();
      const error = await send().catch((reason) => reason);
      return { status: error.status, retryAfter: error.headers?.get('retry-after'), message: error.message };
    },
  };
}
