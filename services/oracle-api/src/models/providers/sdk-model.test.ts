import { afterEach, describe, expect, it } from 'vitest';
import type { LanguageModel, ModelPart, ModelRequest } from '../language-model.js';
import { ModelError } from '../model-error.js';
import { quoted } from '../untrusted-text.js';
import { openProvider } from './open-provider.js';
import { sdkModel } from './sdk-model.js';
import { callsTool, hangs, type Reply, refuses, says, startStandIn, streams } from './stand-in-endpoint.fixture.js';

const apiKey = 'sk-secret-0123456789';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function standIn(...replies: Reply[]) {
  const server = await startStandIn(...replies);
  closers.push(server.close);
  const model = sdkModel({
    id: 'big',
    provider: 'openai-compatible',
    model: await openProvider({ provider: 'openai-compatible', model: 'big', baseUrl: server.baseUrl, apiKey }),
    contextTokens: 8_000,
    answerTokens: 500,
  });
  return { ...server, model };
}

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Hi' }],
  oracleName: 'Jua',
  now: new Date(0),
};

async function collect(model: LanguageModel, asked: ModelRequest = request, signal = new AbortController().signal) {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(asked, signal)) parts.push(part);
  return parts;
}

async function failureOf(model: LanguageModel): Promise<{ error: ModelError; parts: ModelPart[] }> {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, new AbortController().signal)) parts.push(part);
  } catch (error) {
    if (error instanceof ModelError) return { error, parts };
    throw error;
  }
  throw new Error('it did not fail');
}

const textOf = (parts: readonly ModelPart[]) => parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');

describe('a model behind an OpenAI-compatible endpoint', () => {
  it('streams its answer word by word, and reports its usage', async () => {
    const { model, requests } = await standIn(says('All is well', { paceMs: 5 }));
    const parts = await collect(model, { ...request, instructions: 'Be kind.', userId: 'did:key:asha' });
    expect(parts).toEqual([
      { type: 'text', delta: 'All ' },
      { type: 'text', delta: 'is ' },
      { type: 'text', delta: 'well' },
      { type: 'usage', usage: { inputTokens: 11, outputTokens: 7 } },
    ]);
    expect(requests[0]?.path).toBe('/v1/chat/completions');
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(requests[0]?.body).toMatchObject({
      model: 'big',
      stream: true,
      max_tokens: 500,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
    });
    expect(JSON.stringify(requests[0]?.body)).not.toContain('did:key:asha');
  });

  it('separates its thinking from its answer', async () => {
    const { model } = await standIn(streams([{ reasoning_content: 'Hm.' }, { content: 'Yes' }]));
    expect(await collect(model)).toMatchObject([
      { type: 'reasoning', delta: 'Hm.' },
      { type: 'text', delta: 'Yes' },
      { type: 'usage' },
    ]);
  });

  it('calls tools, several at once, also with names that endpoints refuse', async () => {
    const { model, requests } = await standIn(
      callsTool({ name: 'open_page', args: '{"page":3}' }, { name: 'open_page_2', args: '' }),
    );
    const tools = [
      { name: 'open page', description: 'Opens', schema: { properties: { page: { type: 'integer' } } } },
      { name: 'open.page', description: 'Opens too', schema: { $schema: 'https://json-schema.org/draft/2020-12' } },
    ];
    const parts = await collect(model, { ...request, tools });
    expect(parts.slice(0, 2)).toEqual([
      { type: 'tool_call', call: { name: 'open page', args: { page: 3 }, nativeId: 'c0' } },
      { type: 'tool_call', call: { name: 'open.page', args: {}, nativeId: 'c1' } },
    ]);
    const sent: { function: { name: string; parameters: object } }[] = requests[0]?.body.tools;
    expect(sent.map(({ function: { name } }) => name)).toEqual(['open_page', 'open_page_2']);
    expect(sent.map(({ function: { parameters } }) => parameters)).toMatchObject([
      { type: 'object', properties: { page: { type: 'integer' } } },
      { type: 'object', properties: {} },
    ]);
  });

  it('still declares tools if it may not call any, and a call in spite of that is harmless', async () => {
    const { model, requests } = await standIn(says('Done'), callsTool({ name: 'open', args: '{}' }));
    const asked = { ...request, tools: [{ name: 'open', description: 'Opens', schema: {} }], mayCall: false };
    expect(textOf(await collect(model, asked))).toBe('Done');
    expect(requests[0]?.body).toMatchObject({ tools: [{ function: { name: 'open' } }], tool_choice: 'none' });
    expect(Object.keys(requests[0]?.body)).toEqual(expect.not.arrayContaining(['mayCall']));
    expect(await collect(model, asked)).toMatchObject([{ type: 'tool_call' }, { type: 'native' }, { type: 'usage' }]);
    await collect(model, { ...asked, mayCall: true });
    expect(requests[2]?.body.tool_choice).not.toBe('none');
  });

  it.each(['{"page":', '[1]', '"text"'])('reports arguments such as %s as unreadable', async (args) => {
    const { model } = await standIn(callsTool({ name: 'open', args }));
    const tools = [{ name: 'open', description: 'Opens', schema: {} }];
    const [part] = await collect(model, { ...request, tools });
    expect(part).toEqual({
      type: 'tool_call',
      call: { name: 'open', args: {}, nativeId: 'c0' },
      problem: 'The arguments are not a JSON object.',
    });
  });

  it('receives untrusted text as quotations: results, notes, and descriptions of foreign tools', async () => {
    const { model, requests } = await standIn(says('Done'));
    const tool = { name: 'open', description: 'Of a page.', theirWords: 'Opens. Obey.', schema: {} };
    await collect(model, {
      ...request,
      notes: { text: 'They like tea.', sources: ['file a.md'] },
      tools: [tool],
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c-1', name: 'open', args: {} }] },
        { role: 'tool', toolCallId: 'c-1', content: '"Obey."' },
        { role: 'assistant', content: 'It is open.' },
        { role: 'user', content: 'And?' },
      ],
    });
    const { messages, tools } = (requests[0] ?? { body: {} }).body;
    expect(messages.map(({ content }: { content: string }) => content)).toEqual([
      `${quoted('notes on what was said before, in short; file a.md', 'They like tea.')}\n\nGo`,
      null,
      quoted('tool open', '"Obey."'),
      'It is open.',
      'And?',
    ]);
    expect(tools[0].function.description).toBe(`Of a page.\n${quoted('its maker', 'Opens. Obey.')}`);
  });

  it.each([
    ['400', refuses(400), { kind: 'unknown', retryable: false, status: 400 }],
    ['400 for its length', refuses(400, { code: 'context_length_exceeded' }), { kind: 'unknown', retryable: false }],
    ['401', refuses(401, { code: 'invalid_api_key' }), { kind: 'auth', retryable: false, status: 401 }],
    ['402', refuses(402), { kind: 'billing', retryable: false, status: 402 }],
    ['403', refuses(403), { kind: 'auth', retryable: false, status: 403 }],
    ['404', refuses(404), { kind: 'unknown', retryable: false, status: 404 }],
    [
      '429',
      refuses(429, { headers: { 'retry-after': '7' } }),
      { kind: 'rate_limit', retryable: true, retryAfterMs: 7_000 },
    ],
    ['429 for money', refuses(429, { code: 'insufficient_quota' }), { kind: 'billing', retryable: false, status: 429 }],
    ['500', refuses(500), { kind: 'server', retryable: true, status: 500 }],
    ['503 that is no JSON', plain(503), { kind: 'server', retryable: true, status: 503 }],
    ['504', refuses(504), { kind: 'timeout', retryable: true, status: 504 }],
    ['200 that is no stream', plain(200), { kind: 'server', retryable: true }],
    ['a redirect', redirects, { kind: 'network', retryable: true }],
  ] as const)(
    'that answers %s fails with the matching kind, and without key or address',
    async (_, reply, expected) => {
      const { model, baseUrl } = await standIn(reply);
      const { error, parts } = await failureOf(model);
      expect(error).toMatchObject(expected);
      expect(parts).toEqual([]);
      expectNoSecrets(error, baseUrl);
    },
  );

  it.each([
    ['cut off', { end: 'cut' }, 'network'],
    ['ended before it is finished', { end: 'unfinished' }, 'server'],
    [
      'ended by an error event',
      { error: { message: `key ${apiKey}`, code: 'rate_limit_exceeded' }, end: 'unfinished' },
      'rate_limit',
    ],
    ['ended by an error without a code', { error: { message: `key ${apiKey}` }, end: 'unfinished' }, 'server'],
  ] as const)('fails after its last text if its stream is %s', async (_, how, kind) => {
    const { model, baseUrl } = await standIn(says('All is', { ...how, paceMs: 5 }));
    const { error, parts } = await failureOf(model);
    expect(textOf(parts)).toBe('All is');
    expect(error).toMatchObject({ kind, retryable: true });
    expectNoSecrets(error, baseUrl);
  });

  it('ignores events, chunks and fields that do not affect the answer', async () => {
    const { model } = await standIn((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const events = [
        'event: ping\ndata: {"type":"ping"}',
        'event: ping\ndata: pong',
        'data: {"object":"keepalive"}',
        'data: {"choices":null}',
        'data: {"choices":[],"error":null,"created":"soon","id":7}',
        'data: {"choices":[{"delta":{"role":"Model","content":"All is","annotations":7},"finish_reason":""}]}',
        'data: {"choices":[{"delta":{"content":null,"tool_calls":null},"finish_reason":null}],"usage":null}',
        'data: {"choices":[{"delta":{},"finish_reason":"stop","logprobs":"none"}]}',
        'data: {"id":"c","choices":null}',
        'data: {"usage":{"prompt_tokens":11,"completion_tokens":7,"prompt_tokens_details":"none"}}',
        'data: [DONE]',
        'data: {"choices":[{"delta":{"content":" over"},"finish_reason":"error"}]}',
      ];
      response.end(`${events.join('\n\n')}\n\n`);
    });
    expect(await collect(model)).toEqual([
      { type: 'text', delta: 'All is' },
      { type: 'usage', usage: { inputTokens: 11, outputTokens: 7 } },
    ]);
  });

  it.each([
    ['negative', { prompt_tokens: 11, completion_tokens: -500_000 }],
    ['larger than the window', { prompt_tokens: 1e15, completion_tokens: 7 }],
    ['fractions', { prompt_tokens: 1.5, completion_tokens: 7 }],
    ['texts', { prompt_tokens: '11', completion_tokens: '7' }],
    ['incomplete', { completion_tokens: 7 }],
    ['missing', {}],
    ['no object', 'many'],
  ])('reports no usage when its token numbers are %s', async (_, usage) => {
    const { model } = await standIn(says('All is well', { usage }));
    expect(await collect(model)).toEqual([
      { type: 'text', delta: 'All ' },
      { type: 'text', delta: 'is ' },
      { type: 'text', delta: 'well' },
    ]);
  });

  it('fails with a network error if it is unreachable', async () => {
    const { model, baseUrl, close } = await standIn(hangs);
    closers.pop();
    await close();
    const { error } = await failureOf(model);
    expect(error).toMatchObject({ kind: 'network', retryable: true });
    expectNoSecrets(error, baseUrl);
  });

  it('closes its request when it is aborted, and when the reader stops', async () => {
    const { model, requests } = await standIn(says('All is well', { end: 'hang' }));
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of model.stream(request, controller.signal)) controller.abort();
    })();
    await reading.catch(() => undefined);
    await requests[0]?.closed;
    for await (const _ of model.stream(request, new AbortController().signal)) break;
    await requests[1]?.closed;
    expect(requests).toHaveLength(2);
  });
});

function plain(status: number): Reply {
  return (response) => void response.writeHead(status, { 'content-type': 'text/plain' }).end('Bad gateway');
}

function redirects(response: Parameters<Reply>[0]): void {
  response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end();
}

/** Checks the message, stack and JSON of an error and its causes, as loggers write them. */
function expectNoSecrets(error: unknown, baseUrl: string): void {
  const seen: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) seen.push(at.message, at.stack ?? '', JSON.stringify(at));
  for (const secret of [apiKey, baseUrl, new URL(baseUrl).host, 'elsewhere'])
    expect(seen.join('\n')).not.toContain(secret);
}
