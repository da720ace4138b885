import type OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import type { LanguageModel, ModelPart } from '../../models/language-model.js';
import { openAiService, userOfService } from './openai-client.fixture.js';

/** A model that generates until it is stopped. */
function endless() {
  const stops: boolean[] = [];
  const model: LanguageModel = {
    id: 'endless',
    label: 'Endless',
    async *stream(_request, signal): AsyncIterable<ModelPart> {
      yield { type: 'text', delta: 'Well, ' };
      const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      if (!signal.aborted) await stopped;
      stops.push(true);
    },
  };
  return { model, stops };
}

const history: OpenAI.Responses.ResponseInput = [
  { role: 'user', content: 'My name is Asha.' },
  { role: 'assistant', content: 'I look it up.' },
  { type: 'function_call', call_id: 'functions.zoom:0', name: 'zoom', arguments: '{"by":2}' },
  { type: 'function_call_output', call_id: 'functions.zoom:0', output: 'zoomed' },
  { role: 'assistant', content: 'Hello Asha.' },
];

describe('a response to a whole conversation', async () => {
  const { service, asha, own } = await userOfService();

  it('answers the whole input, and stores it for later requests', async () => {
    const input = [...history, { role: 'user' as const, content: 'What is my name?' }];
    const first = await asha.responses.create({ model: 'local', input });
    expect(first.output_text).toContain('Asha');
    const next = { model: 'local', input: 'What did I say first?', previous_response_id: first.id };
    expect((await asha.responses.create(next)).output_text).toContain('My name is Asha.');
    const { messages } = await own<{ messages: { type: string; content: string; toolCalls?: object[] }[] }>(
      `/messages/${first.conversation?.id}`,
    );
    expect(messages.slice(0, 3)).toMatchObject([
      { type: 'human', content: 'My name is Asha.' },
      { type: 'ai', toolCalls: [{ id: 'functions.zoom:0', args: { by: 2 }, status: 'done', output: '"zoomed"' }] },
      { type: 'human', content: 'What is my name?' },
    ]);
  });

  it('resolves item references, of its user only', async () => {
    const first = await asha.responses.create({ model: 'local', input: 'say: tea is ready' });
    const reference = { type: 'item_reference' as const, id: first.output[0]?.id ?? '' };
    const input = [
      { role: 'user' as const, content: 'hi' },
      reference,
      { role: 'user' as const, content: 'What did you say last?' },
    ];
    expect(await asha.responses.create({ model: 'local', store: false, input })).toMatchObject({ status: 'completed' });
    const juma = await service.clientOf('j');
    await expect(juma.responses.create({ model: 'local', input })).rejects.toMatchObject({
      status: 400,
      param: 'input',
    });
    const unknown = [{ type: 'item_reference' as const, id: 'rs_1' }, ...input.slice(2)];
    await expect(asha.responses.create({ model: 'local', input: unknown })).rejects.toMatchObject({ status: 400 });
  });

  it('refuses an image in the result of a call', async () => {
    const output = [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' }];
    const input = [...history.slice(0, 3), { type: 'function_call_output', call_id: 'functions.zoom:0', output }];
    const refused = asha.responses.create({ model: 'local', input: input as typeof history });
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });

  it('accepts nulls, and arguments as an object', async () => {
    const body = {
      model: 'local',
      functions: null,
      function_call: null,
      tools: null,
      tool_choice: null,
      stream: null,
      stream_options: null,
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'zoom', arguments: { by: 2 } } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'zoomed' },
        { role: 'user', content: 'say: taken' },
      ],
    };
    const answer = await asha.chat.completions.create(body as never);
    expect((answer as OpenAI.ChatCompletion).choices[0]?.message.content).toBe('taken');
  });
});

describe('stored responses without a conversation', () => {
  it('replace the oldest of them at the session limit, and no other session', async () => {
    const service = await openAiService({ sessionsPerUser: 3 });
    const [client, own] = [await service.clientOf('a'), await service.ownOf('a')];
    const { sessionId } = await own<{ sessionId: string }>('/sessions', 'POST');
    const responses: OpenAI.Responses.Response[] = [];
    for (const word of ['one', 'two', 'three', 'four', 'five']) {
      responses.push(await client.responses.create({ model: 'local', input: `say: ${word}` }));
    }
    const found = await Promise.all(
      responses.map(({ id }) =>
        client.responses.retrieve(id).then(
          ({ output_text }) => output_text,
          () => 'gone',
        ),
      ),
    );
    expect(found).toEqual(['gone', 'gone', 'gone', 'four', 'five']);
    const next = { model: 'local', input: 'hi', previous_response_id: responses[0]?.id ?? '' };
    await expect(client.responses.create(next)).rejects.toMatchObject({ code: 'previous_response_not_found' });
    const { sessions } = await own<{ sessions: object[] }>('/sessions');
    expect(sessions).toMatchObject([{ sessionId }]);
    const archived = await own<{ sessions: object[] }>('/sessions?archived=true');
    expect(archived.sessions).toMatchObject([{ title: 'say: five' }, { title: 'say: four' }]);
    await client.chat.completions.create({ model: 'local', messages: [{ role: 'user', content: 'hi' }] });
    await service.close();
  });
});

describe('a client that disconnects', () => {
  const begin = async (client: OpenAI, body: object, end: 'hang up' | 'stop', headers = {}) => {
    const messages = [{ role: 'user', content: 'hi' }];
    const stream = (await client.chat.completions.create(
      { model: 'endless', messages, stream: true, ...body } as never,
      {
        headers,
      },
    )) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>;
    for await (const chunk of stream) if (end === 'hang up' && chunk.choices[0]?.delta.content === 'Well, ') break;
  };

  it('stops a completion that is not stored, and frees the slot', async () => {
    const { model, stops } = endless();
    const service = await openAiService({ model });
    const client = await service.clientOf('a');
    await begin(client, {}, 'hang up');
    await vi.waitFor(() => expect(stops).toHaveLength(1));
    const aborted = new AbortController();
    const waiting = client.chat.completions
      .create({ model: 'endless', messages: [{ role: 'user', content: 'hi' }] }, { signal: aborted.signal })
      .catch(() => undefined);
    await vi.waitFor(async () => expect(service.deps.turns.running).toBe(1));
    aborted.abort();
    await waiting;
    await vi.waitFor(() => expect(stops).toHaveLength(2));
    await service.close();
  });

  it('does not stop an answer of a session', async () => {
    const { model, stops } = endless();
    const service = await openAiService({ model });
    const [client, own] = [await service.clientOf('a'), await service.ownOf('a')];
    const { sessionId } = await own<{ sessionId: string }>('/sessions', 'POST');
    await begin(client, {}, 'hang up', { 'x-session-id': sessionId });
    const { run } = await own<{ run: { status: string } }>(`/sessions/${sessionId}/run`);
    expect([run.status, stops]).toEqual(['running', []]);
    await own('/messages/abort', 'POST', { sessionId });
    await service.close();
  });
});

describe('an answer stopped by another client', () => {
  it('is reported in the form of this protocol', async () => {
    const { model } = endless();
    const service = await openAiService({ model });
    const [client, own] = [await service.clientOf('a'), await service.ownOf('a')];
    const { sessionId } = await own<{ sessionId: string }>('/sessions', 'POST');
    const stop = () =>
      vi.waitFor(async () => expect(await own('/messages/abort', 'POST', { sessionId })).toEqual({ success: true }));
    const headers = { 'x-session-id': sessionId };
    const messages = [{ role: 'user' as const, content: 'hi' }];
    const [completion] = await Promise.all([
      client.chat.completions.create({ model: 'endless', messages }, { headers }),
      stop(),
    ]);
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Well, ' } });
    const input = { model: 'endless', input: 'hi', conversation: sessionId };
    const [response] = await Promise.all([client.responses.create(input), stop()]);
    expect(response).toMatchObject({ status: 'cancelled', incomplete_details: { reason: 'aborted' } });
    const [streamed] = await Promise.all([client.responses.stream(input).finalResponse(), stop()]);
    expect(streamed).toMatchObject({ status: 'cancelled', incomplete_details: { reason: 'aborted' } });
    await service.close();
  });
});
