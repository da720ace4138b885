import type OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../../models/model-error.js';
import { gate, scriptedModel } from '../../../models/scripted-model.fixture.js';
import { openAiService, userOfService, zoom } from '../openai-client.fixture.js';

type Messages = OpenAI.ChatCompletionMessageParam[];

interface Listed {
  readonly messages: {
    type: string;
    content: string;
    toolCalls?: { name: string; status: string; output: string }[];
  }[];
}

const { service, asha, own } = await userOfService();

const model = 'local';
const useZoom = 'use the tool zoom with {"by": 2}';
const sessionsLeft = async () => {
  const counts = await Promise.all(
    ['', '?archived=true'].map((query) => own<{ total: number }>(`/sessions${query}`).then(({ total }) => total)),
  );
  return counts;
};
const newSession = async () => (await own<{ sessionId: string }>('/sessions', 'POST')).sessionId;

async function textOf(stream: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  return { chunks, text, ending: chunks.flatMap(({ choices }) => choices).at(-1)?.finish_reason };
}

describe('a request with a whole conversation', () => {
  it('is answered without a stream, from all messages, and stores nothing', async () => {
    const messages: Messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'say: one' },
      { role: 'assistant', content: 'one' },
      { role: 'user', content: [{ type: 'text', text: 'say: two' }] },
    ];
    const answer = await asha.chat.completions.create({ model, messages, temperature: 0.1 });
    expect(answer.choices).toMatchObject([
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'two' } },
    ]);
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    await vi.waitFor(async () => expect(await sessionsLeft()).toEqual([0, 0]));
  });

  it("reaches the model unchanged, with the app's messages among the instructions", async () => {
    const { model: scripted, requests } = scriptedModel(['fine']);
    const other = await openAiService({ model: scripted });
    const client = await other.clientOf('a');
    const messages: Messages = [
      { role: 'developer', content: 'Speak like a pirate.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"at":"Nairobi"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    ];
    await client.chat.completions.create({ model: 'scripted', messages });
    expect(requests[0]?.instructions).toContain('"Speak like a pirate."');
    expect(requests[0]?.messages).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'weather', args: { at: 'Nairobi' } }] },
      { role: 'tool', content: 'sunny', toolCallId: 'c1' },
    ]);
    await other.close();
  });

  it('is streamed, with its usage', async () => {
    const stream = await asha.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'say: one two three' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const { chunks, text, ending } = await textOf(stream);
    expect([text, ending]).toEqual(['one two three', 'stop']);
    expect(chunks.length).toBeGreaterThan(4);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    await vi.waitFor(async () => expect(await sessionsLeft()).toEqual([0, 0]));
  });

  it.each([false, true])(
    "ends with the client's tool calls, and the next request has their results (streamed: %s)",
    async (stream) => {
      const messages: Messages = [{ role: 'user', content: useZoom }];
      const asked = stream
        ? await asha.chat.completions.stream({ model, messages, tools: [zoom] }).finalChatCompletion()
        : await asha.chat.completions.create({ model, messages, tools: [zoom] });
      const [choice] = asked.choices;
      expect(choice?.finish_reason).toBe('tool_calls');
      const [call] = choice?.message.tool_calls ?? [];
      expect(call).toMatchObject({ type: 'function', function: { name: 'zoom', arguments: '{"by":2}' } });
      if (choice === undefined || call === undefined) return;
      messages.push(choice.message, { role: 'tool', tool_call_id: call.id, content: '{"zoomed":"twice"}' });
      const answer = await asha.chat.completions.create({ model, messages, tools: [zoom] });
      expect(answer.choices[0]?.message.content).toContain('twice');
    },
  );

  it("works with the client's own tool loop", async () => {
    const by: number[] = [];
    const runner = asha.chat.completions.runTools({
      model,
      messages: [{ role: 'user', content: useZoom }],
      tools: [
        {
          type: 'function',
          function: {
            ...zoom.function,
            parse: JSON.parse,
            function: (args: { by: number }) => {
              by.push(args.by);
              return 'zoomed twice';
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain('zoomed twice');
    expect(by).toEqual([2]);
  });

  it('is refused with an error of this protocol', async () => {
    const refusal = (body: object) =>
      asha.chat.completions.create({ model, messages: [], ...body } as never).catch((error: unknown) => error);
    const hi = [{ role: 'user', content: 'hi' }];
    for (const [body, status, said] of [
      [{ messages: [] }, 400, { param: 'messages', type: 'invalid_request_error' }],
      [{ messages: hi, model: 'gpt-none' }, 404, { param: 'model', code: 'model_not_found' }],
      [{ messages: hi, n: 2 }, 400, { param: 'n' }],
      [{ messages: [{ role: 'assistant', content: 'me' }] }, 400, { param: 'messages' }],
      [{ messages: [{ role: 'tool', tool_call_id: 'x', content: '1' }] }, 400, { param: 'messages' }],
      [{ messages: [{ role: 'user', content: 'word '.repeat(60_000) }] }, 400, { code: 'context_length_exceeded' }],
      [{ messages: [{ role: 'user', content: 'x'.repeat(1_048_576) }] }, 400, { code: 'context_length_exceeded' }],
      [{ messages: [{ role: 'user', content: ','.repeat(1_048_576) }] }, 413, {}],
      [
        {
          messages: [
            { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
          ],
        },
        400,
        { param: 'messages[0].content[0].image_url' },
      ],
    ] as const) {
      expect(await refusal(body)).toMatchObject({ status, ...said });
    }
    expect(await sessionsLeft()).toEqual([0, 0]);
  });

  it('reports a missing token and unknown routes', async () => {
    const stranger = asha.withOptions({ apiKey: 'sk-nothing' });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    await expect(asha.embeddings.create({ model, input: 'x' })).rejects.toMatchObject({ status: 404 });
  });

  it('reports a failed model before and during the stream', async () => {
    const broken = new ModelError('server', 'The model is away.', { retryable: true });
    const other = await openAiService({ model: scriptedModel(['Well', broken]).model });
    const client = await other.clientOf('a');
    const body = { model: 'scripted', messages: [{ role: 'user' as const, content: 'hi' }] };
    await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 503, type: 'server_error' });
    const heard: string[] = [];
    const listen = async () => {
      for await (const { choices } of await client.chat.completions.create({ ...body, stream: true })) {
        heard.push(choices[0]?.delta.content ?? '');
      }
    };
    await expect(listen()).rejects.toMatchObject({ error: { message: 'The model is away.', code: 'server' } });
    expect(heard.join('')).toBe('Well');
    await other.close();
  });
});

describe('a conversation in a session', () => {
  it('shares its history with the REST API', async () => {
    const session = await newSession();
    await own(`/messages/${session}`, 'POST', { message: 'My name is Asha.' });
    const headers = { 'x-session-id': session };
    const answer = await asha.chat.completions.create(
      { model, messages: [{ role: 'user', content: 'say: from there' }] },
      { headers },
    );
    const { messages } = await own<Listed>(`/messages/${session}`);
    expect(messages.map(({ content }) => content)).toEqual([
      'My name is Asha.',
      expect.any(String),
      'say: from there',
      'from there',
    ]);
    expect(answer.choices[0]?.message.content).toBe('from there');
  });

  it('stores the results of client tool calls with the answer that made them', async () => {
    const headers = { 'x-session-id': await newSession() };
    const messages: Messages = [{ role: 'user', content: useZoom }];
    const asked = await asha.chat.completions.create({ model, messages, tools: [zoom] }, { headers });
    const [choice] = asked.choices;
    const [call] = choice?.message.tool_calls ?? [];
    if (choice === undefined || call === undefined) throw new Error('no call');
    messages.push(choice.message, { role: 'tool', tool_call_id: call.id, content: 'zoomed twice' });
    const body = { model, messages, tools: [zoom] };
    const answer = await asha.chat.completions.create(body, { headers });
    expect(answer.choices[0]?.message.content).toContain('zoomed twice');
    const listed = await own<Listed>(`/messages/${headers['x-session-id']}`);
    expect(listed.messages[1]?.toolCalls).toMatchObject([{ name: 'zoom', status: 'done', output: '"zoomed twice"' }]);
    await expect(asha.chat.completions.create(body, { headers })).rejects.toMatchObject({ status: 400 });
  });

  it('belongs to its user', async () => {
    const headers = { 'x-session-id': await newSession() };
    const juma = await service.clientOf('j');
    const body = { model, messages: [{ role: 'user' as const, content: 'hi' }] };
    await expect(juma.chat.completions.create(body, { headers })).rejects.toMatchObject({ status: 404 });
    const { messages } = await own<Listed>(`/messages/${headers['x-session-id']}`);
    expect(messages).toEqual([]);
  });

  it('continues if its reader disconnects', async () => {
    const hold = gate();
    const other = await openAiService({ model: scriptedModel(['Well, ', hold.opened, 'here it is.']).model });
    const client = await other.clientOf('a');
    const ownThere = await other.ownOf('a');
    const { sessionId } = await ownThere<{ sessionId: string }>('/sessions', 'POST');
    const body = { model: 'scripted', messages: [{ role: 'user' as const, content: 'hi' }], stream: true as const };
    const stream = await client.chat.completions.create(body, { headers: { 'x-session-id': sessionId } });
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'Well, ') break;
    expect(stream.controller.signal.aborted).toBe(true);
    hold.open();
    await vi.waitFor(async () => {
      const { messages } = await ownThere<Listed>(`/messages/${sessionId}`);
      expect(messages.at(-1)?.content).toBe('Well, here it is.');
    });
    await other.close();
  });
});

describe('models', () => {
  it('are listed, and can be read by name', async () => {
    expect((await asha.models.list()).data.map(({ id }) => id)).toEqual(['local']);
    expect(await asha.models.retrieve('local')).toMatchObject({ id: 'local', object: 'model' });
    await expect(asha.models.retrieve('none')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });
});
