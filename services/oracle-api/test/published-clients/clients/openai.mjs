/** The `openai` client, by chat completions and by responses. */
import { allow } from './allow.mjs';

export default async function features(name, api) {
  const { default: OpenAI } = await import(name);
  const { zodResponseFormat, zodTextFormat } = await import(`${name}/helpers/zod`);
  const { z } = await import('zod');
  const weather = z.object({ city: z.string(), rain: z.boolean() });
  const clientOf = ({ url, token }) => new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 });
  const zoomParameters = { type: 'object', properties: { by: { type: 'number' } } };
  const model = 'scripted';

  const user = (content) => [{ role: 'user', content }];
  const failure = async (request) => {
    const error = await request.then(
      () => undefined,
      (reason) => reason,
    );
    return { status: error?.status, retryAfter: error?.headers?.get('retry-after'), message: error?.message };
  };

  const chat = {
    async stream(place) {
      const stream = await clientOf(place).chat.completions.create({ model, messages: user('hold'), stream: true });
      let text = '';
      for await (const { choices } of stream) {
        const isFirst = text === '';
        text += choices[0]?.delta.content ?? '';
        if (isFirst && text !== '') await place.checkpoint(text);
      }
      return { text };
    },
    async tools(place) {
      const body = { model, messages: user('remember that I like tea') };
      return { text: (await clientOf(place).chat.completions.create(body)).choices[0].message.content };
    },
    async pageTools(place) {
      const runner = clientOf(place).chat.completions.runTools({
        model,
        messages: user('use the tool zoom with {"by": 2}'),
        tools: [
          {
            type: 'function',
            function: {
              name: 'zoom',
              description: 'Zooms the page',
              parameters: zoomParameters,
              parse: JSON.parse,
              function: ({ by }) => `zoomed ${by} times`,
            },
          },
        ],
      });
      return { text: await runner.finalContent() };
    },
    async files(place) {
      const content = [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: place.picture } },
      ];
      await clientOf(place).chat.completions.create({ model, messages: user(content) });
    },
    async structured(place) {
      const body = {
        model,
        messages: user('{"city":"Nairobi","rain":true}'),
        response_format: zodResponseFormat(weather, 'weather'),
      };
      return { object: (await clientOf(place).chat.completions.parse(body)).choices[0].message.parsed };
    },
    async stop(place) {
      const stream = await clientOf(place).chat.completions.create({ model, messages: user('hold'), stream: true });
      for await (const { choices } of stream) if (choices[0]?.delta.content) stream.controller.abort();
      return { ended: 'disconnected' };
    },
    async approval(place) {
      const body = { model, messages: user('use the tool pay with {"amount": 5}') };
      return allow(place, (await clientOf(place).chat.completions.create(body)).choices[0].message.content);
    },
    async limit(place) {
      const send = () => clientOf(place).chat.completions.create({ model, messages: user('hi') });
      await send();
      return failure(send());
    },
  };

  const responses = {
    async stream(place) {
      const stream = await clientOf(place).responses.create({ model, input: 'hold', stream: true });
      let text = '';
      for await (const event of stream) {
        if (event.type !== 'response.output_text.delta') continue;
        if (text === '') await place.checkpoint(event.delta);
        text += event.delta;
      }
      return { text };
    },
    async tools(place) {
      const response = await clientOf(place).responses.create({ model, input: 'remember that I like tea' });
      return { text: response.output_text };
    },
    async pageTools(place) {
      const client = clientOf(place);
      const tools = [
        { type: 'function', name: 'zoom', description: 'Zooms the page', parameters: zoomParameters, strict: false },
      ];
      const first = await client.responses.create({ model, input: 'use the tool zoom with {"by": 2}', tools });
      const call = first.output.find(({ type }) => type === 'function_call');
      const output = `zoomed ${JSON.parse(call.arguments).by} times`;
      const input = [{ type: 'function_call_output', call_id: call.call_id, output }];
      const response = await client.responses.create({ model, input, tools, previous_response_id: first.id });
      return { text: response.output_text };
    },
    async files(place) {
      const content = [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image_url: place.picture, detail: 'auto' },
      ];
      await clientOf(place).responses.create({ model, input: user(content) });
    },
    async structured(place) {
      const text = { format: zodTextFormat(weather, 'weather') };
      const response = await clientOf(place).responses.parse({ model, input: '{"city":"Nairobi","rain":true}', text });
      return { object: response.output_parsed };
    },
    async stop(place) {
      const client = clientOf(place);
      const stream = await client.responses.create({ model, input: 'hold', stream: true });
      let id;
      let ended;
      for await (const event of stream) {
        if (event.type === 'response.created') id = event.response.id;
        if (event.type === 'response.output_text.delta') await client.responses.cancel(id);
        ended = event.response?.status ?? ended;
      }
      return { ended };
    },
    async resume(place) {
      const client = clientOf(place);
      const stream = await client.responses.create({ model, input: 'hold', stream: true });
      let id;
      let last;
      let text = '';
      for await (const event of stream) {
        if (event.type === 'response.created') id = event.response.id;
        last = event.sequence_number;
        if (event.type !== 'response.output_text.delta') continue;
        text += event.delta;
        break;
      }
      await place.checkpoint('broken');
      const rest = await client.responses.retrieve(id, { stream: true, starting_after: last });
      for await (const event of rest) if (event.type === 'response.output_text.delta') text += event.delta;
      return { text };
    },
    async approval(place) {
      const input = 'use the tool pay with {"amount": 5}';
      return allow(place, (await clientOf(place).responses.create({ model, input })).output_text);
    },
    async limit(place) {
      const send = () => clientOf(place).responses.create({ model, input: 'hi' });
      await send();
      return failure(send());
    },
  };

  return { chat, responses }[api];
}
