/** `generateText`, `streamText` and `generateObject` of the AI SDK with `createOpenAI`, by chat completions and by responses. */
import { allow } from './allow.mjs';

export default async function features(sdk, provider, api) {
  const { generateObject, generateText, stepCountIs, isStepCount, streamText, tool } = await import(sdk);
  const { createOpenAI } = await import(provider);
  const { z } = await import('zod');
  const stepsUpTo = stepCountIs ?? isStepCount;
  const of = ({ url, token }) => ({
    model: createOpenAI({ baseURL: `${url}/v1`, apiKey: token })[api]('scripted'),
    maxRetries: 0,
  });
  const zoom = tool({
    description: 'Zooms the page',
    inputSchema: z.object({ by: z.number() }),
    execute: async ({ by }) => `zoomed ${by} times`,
  });

  return {
    async stream(place) {
      let text = '';
      for await (const delta of streamText({ ...of(place), prompt: 'hold' }).textStream) {
        if (text === '') await place.checkpoint(delta);
        text += delta;
      }
      return { text };
    },
    async tools(place) {
      return { text: (await generateText({ ...of(place), prompt: 'remember that I like tea' })).text };
    },
    async pageTools(place) {
      const prompt = 'use the tool zoom with {"by": 2}';
      const streamed = streamText({ ...of(place), prompt, tools: { zoom }, stopWhen: stepsUpTo(3) });
      return { text: await streamed.text };
    },
    async files(place) {
      const content = [
        { type: 'text', text: 'Look' },
        { type: 'file', data: place.picture, mediaType: 'image/png' },
      ];
      await generateText({ ...of(place), messages: [{ role: 'user', content }] });
    },
    async structured(place) {
      const schema = z.object({ city: z.string(), rain: z.boolean() });
      return {
        object: (await generateObject({ ...of(place), schema, prompt: '{"city":"Nairobi","rain":true}' })).object,
      };
    },
    async stop(place) {
      const stopping = new AbortController();
      const options = api === 'responses' ? { providerOptions: { openai: { store: false } } } : {};
      const streamed = streamText({ ...of(place), ...options, prompt: 'hold', abortSignal: stopping.signal });
      for await (const part of streamed.fullStream) {
        if (part.type === 'text-delta') stopping.abort();
        if (part.type === 'abort') return { ended: 'disconnected' };
      }
      return { ended: 'finished' };
    },
    async approval(place) {
      return allow(place, (await generateText({ ...of(place), prompt: 'use the tool pay with {"amount": 5}' })).text);
    },
    async limit(place) {
      const send = () => generateText({ ...of(place), prompt: 'hi' });
      await send();
      const error = await send().catch((reason) => reason);
      const { statusCode: status, responseHeaders = {}, message } = error;
      return { status, retryAfter: responseHeaders['retry-after'], message };
    },
  };
}
