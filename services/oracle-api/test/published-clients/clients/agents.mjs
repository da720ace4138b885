/** The OpenAI Agents SDK, by responses, which is its default. */
import { allow } from './allow.mjs';

export default async function features(name) {
  const { Agent, OpenAIProvider, Runner, tool } = await import(name);
  const { z } = await import('zod');
  const { default: OpenAI } = await import('openai-7');
  const runnerOf = ({ url, token }, options = {}) =>
    new Runner({
      modelProvider: new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: token, useResponses: true, ...options }),
      model: 'scripted',
      tracingDisabled: true,
    });
  const zoom = tool({
    name: 'zoom',
    description: 'Zooms the page',
    parameters: z.object({ by: z.number() }),
    execute: async ({ by }) => `zoomed ${by} times`,
  });
  const helper = new Agent({ name: 'Helper', instructions: 'Be brief.' });

  return {
    async stream(place) {
      const result = await runnerOf(place).run(helper, 'hold', { stream: true });
      let text = '';
      for await (const delta of result.toTextStream()) {
        if (text === '') await place.checkpoint(delta);
        text += delta;
      }
      await result.completed;
      return { text: result.finalOutput };
    },
    async tools(place) {
      return { text: (await runnerOf(place).run(helper, 'remember that I like tea')).finalOutput };
    },
    async pageTools(place) {
      const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', tools: [zoom] });
      return { text: (await runnerOf(place).run(agent, 'use the tool zoom with {"by": 2}')).finalOutput };
    },
    async files(place) {
      const content = [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image: place.picture },
      ];
      await runnerOf(place).run(helper, [{ role: 'user', content }]);
    },
    async structured(place) {
      const outputType = z.object({ city: z.string(), rain: z.boolean() });
      const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', outputType });
      return { object: (await runnerOf(place).run(agent, '{"city":"Nairobi","rain":true}')).finalOutput };
    },
    async stop(place) {
      const stopping = new AbortController();
      const agent = new Agent({ name: 'Helper', modelSettings: { store: false } });
      const result = await runnerOf(place).run(agent, 'hold', { stream: true, signal: stopping.signal });
      const read = async () => {
        for await (const _ of result.toTextStream()) stopping.abort();
        await result.completed;
      };
      await read().catch(() => undefined);
      return { ended: 'disconnected' };
    },
    async approval(place) {
      return allow(place, (await runnerOf(place).run(helper, 'use the tool pay with {"amount": 5}')).finalOutput);
    },
    async limit(place) {
      // By default the client waits for the time of `Retry-After`: until the next day.
      const openAIClient = new OpenAI({ baseURL: `${place.url}/v1`, apiKey: place.token, maxRetries: 0 });
      const send = () => runnerOf(place, { baseURL: undefined, apiKey: undefined, openAIClient }).run(helper, 'hi');
      await send();
      const error = await send().catch((reason) => reason);
      return { status: error.status, retryAfter: error.headers?.get('retry-after'), message: error.message };
    },
  };
}
