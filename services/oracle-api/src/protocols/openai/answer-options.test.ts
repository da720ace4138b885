import type OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.js';
import { openModels } from '../../models/model-catalog.js';
import {
  callsTool,
  type Reply,
  refusesWith,
  says,
  startStandIn,
} from '../../models/providers/stand-in-endpoint.fixture.js';
import { sharedPools } from '../../shared-pools.js';
import { openAiService, userOfService, zoom } from './openai-client.fixture.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const question = 'Does it rain?';
const schema = {
  type: 'object',
  properties: { city: { $ref: '#/$defs/city' }, rain: { type: 'boolean' } },
  required: ['city', 'rain'],
  additionalProperties: false,
  $defs: { city: { type: 'string', minLength: 2 } },
};
const fits = '{"city":"Nairobi","rain":true}';
const named = { name: 'weather', description: 'Weather of a city', schema, strict: true };
const callsZoom = callsTool({ name: 'zoom', args: '{"by":2}' });
const callsTwice = callsTool({ name: 'zoom', args: '{"by":2}' }, { name: 'zoom', args: '{"by":3}' });

/** A client of the service, with a model endpoint that gives these replies. */
async function userOn(...replies: Reply[]) {
  const endpoint = await startStandIn(...replies);
  const config = readConfig({ LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'm' });
  const models = await openModels(config.models, {
    random: () => 0,
    nowMs: Date.now,
    calls: sharedPools(config).modelCalls,
  });
  const service = await openAiService({ models });
  closers.push(endpoint.close, service.close);
  /** Requests for the answer at the endpoint, without those for titles. */
  const sent = () => endpoint.requests.map(({ body }) => body).filter((body) => body.stream && isAsked(body));
  return { client: await service.clientOf('a'), sent };
}

const isAsked = ({ messages }: { messages: { content: unknown }[] }) =>
  messages.some(({ content }) => content === question);

/** Both APIs, streamed or not, with one form of result: text, calls, and how the answer ended. */
const protocols = {
  'chat completions': async (client: OpenAI, body: Fields) =>
    resultOf(await client.chat.completions.create(chatBody(body) as OpenAI.ChatCompletionCreateParamsNonStreaming)),
  'chat completions, streamed': async (client: OpenAI, body: Fields) =>
    resultOf(await client.chat.completions.stream(chatBody(body) as never).finalChatCompletion()),
  responses: async (client: OpenAI, body: Fields) =>
    resultOfResponse(
      await client.responses.create(responseBody(body) as never as OpenAI.Responses.ResponseCreateParamsNonStreaming),
    ),
  'responses, streamed': async (client: OpenAI, body: Fields) =>
    resultOfResponse(await client.responses.stream(responseBody(body) as never).finalResponse()),
};
type Protocol = keyof typeof protocols;
const each = Object.keys(protocols) as Protocol[];

interface Fields {
  readonly format?: object;
  readonly choice?: unknown;
  readonly [field: string]: unknown;
}

function chatBody({ format, choice, ...more }: Fields) {
  const messages = [{ role: 'user', content: question }];
  const response_format = format && { type: 'json_schema', json_schema: format };
  return {
    model: 'm',
    messages,
    ...(format && { response_format }),
    ...(choice ? { tool_choice: choice } : {}),
    ...more,
  };
}

function responseBody({ format, choice, tools, ...more }: Fields) {
  const flat = tools !== undefined && { tools: [{ type: 'function', strict: false, ...zoom.function }] };
  const text = format && { text: { format: { type: 'json_schema', ...format } } };
  return { model: 'm', input: question, ...text, ...(choice ? { tool_choice: choice } : {}), ...flat, ...more };
}

function resultOf({ choices: [choice] }: OpenAI.ChatCompletion) {
  const calls = choice?.message.tool_calls ?? [];
  return {
    text: choice?.message.content ?? '',
    calls: calls.map((call) => 'function' in call && call.function.arguments),
  };
}

function resultOfResponse(response: OpenAI.Responses.Response) {
  if (response.error) throw Object.assign(new Error(response.error.message), { code: response.error.code });
  const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : []));
  return { text: response.output_text, calls };
}

describe.each(each)('an object by %s', (protocol) => {
  const ask = protocols[protocol];

  it('is requested from the endpoint, checked, and repaired once', async () => {
    const { client, sent } = await userOn(says('{"city":"N","rain":true}'), says(fits));
    expect(await ask(client, { format: named })).toMatchObject({ text: fits });
    const [first, repair] = sent();
    expect(first.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { ...schema, title: 'weather' } },
    });
    expect(repair.messages.at(-1).content).toContain('city');
  });

  it('fails clearly when the repaired answer does not fit', async () => {
    const { client, sent } = await userOn(says('It rains.'));
    await expect(ask(client, { format: named })).rejects.toMatchObject({ code: 'answer_not_in_form' });
    expect(sent()).toHaveLength(2);
  });

  it('is sent as a call at an endpoint without structured output, also in later requests', async () => {
    const message = 'This response_format type is unavailable now';
    const answer = callsTool({ name: 'structured_answer', args: fits });
    const { client, sent } = await userOn(refusesWith(400, { error: { message } }), answer);
    expect(await ask(client, { format: named })).toMatchObject({ text: fits, calls: [] });
    expect(await ask(client, { format: named })).toMatchObject({ text: fits });
    expect(sent().map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'required', 'required']);
  });

  it('follows after a call of a client tool, and that request has the same format', async () => {
    const { client } = await userOn(callsZoom);
    expect(await ask(client, { format: named, tools: [zoom] })).toMatchObject({ text: '', calls: ['{"by":2}'] });
  });
});

describe.each(each)('a required call by %s', (protocol) => {
  const ask = protocols[protocol];
  const tools = [zoom];
  const byName = protocol.startsWith('chat')
    ? { type: 'function', function: { name: 'zoom' } }
    : { type: 'function', name: 'zoom' };

  it.each([
    ['of any function', 'required', 'required'],
    ['by name', byName, { type: 'function', function: { name: 'zoom' } }],
  ])('%s is requested from the endpoint, and repaired once after an answer in plain text', async (_, choice, wire) => {
    const { client, sent } = await userOn(says('I zoom.'), callsZoom);
    expect(await ask(client, { choice, tools })).toMatchObject({ text: '', calls: ['{"by":2}'] });
    expect(sent().map(({ tool_choice }) => tool_choice)).toEqual([wire, wire]);
  });

  it('fails clearly if the model makes none', async () => {
    const { client, sent } = await userOn(says('I zoom.'));
    await expect(ask(client, { choice: 'required', tools })).rejects.toMatchObject({ code: 'answer_not_in_form' });
    expect(sent()).toHaveLength(2);
  });

  it('is requested in the prompt if the endpoint cannot force a call', async () => {
    const refusal = refusesWith(400, { error: { message: 'deepseek-reasoner does not support this tool_choice' } });
    const { client, sent } = await userOn(refusal, callsZoom);
    expect(await ask(client, { choice: byName, tools })).toMatchObject({ calls: ['{"by":2}'] });
    expect(sent().map(({ tool_choice }) => tool_choice)).toEqual([
      { type: 'function', function: { name: 'zoom' } },
      undefined,
    ]);
  });

  it('is a single call if the endpoint refuses parallel_tool_calls', async () => {
    const refusal = refusesWith(422, { error: { message: 'Extra inputs are not permitted: parallel_tool_calls' } });
    const { client, sent } = await userOn(refusal, callsTwice);
    expect(await ask(client, { parallel_tool_calls: false, tools })).toMatchObject({ calls: ['{"by":2}'] });
    expect(sent().map((body) => body.parallel_tool_calls)).toEqual([false, undefined]);
  });

  it('is a single call if the client allows no parallel calls, also at an endpoint that makes two', async () => {
    const { client, sent } = await userOn(callsTwice);
    expect(await ask(client, { parallel_tool_calls: false, tools })).toMatchObject({ calls: ['{"by":2}'] });
    expect(sent()[0].parallel_tool_calls).toBe(false);
    expect((await ask((await userOn(callsTwice)).client, { tools })).calls).toHaveLength(2);
  });
});

const { asha } = await userOfService();

describe('an unsupported option', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const tools = [zoom];
  const inSchema = (more: object) => ({ type: 'json_schema', json_schema: { name: 'x', schema: more } });
  const loop = { type: 'object', properties: { next: { $ref: '#/$defs/loop' } } };

  it.each([
    [{ response_format: { type: 'grammar' } }, 'response_format.type'],
    [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    [{ response_format: inSchema({ type: 'array' }) }, 'response_format.json_schema.schema'],
    [{ response_format: inSchema({ $ref: '#/$defs/loop', $defs: { loop } }) }, 'response_format.json_schema.schema'],
    [{ response_format: inSchema({ if: {}, properties: {} }) }, 'response_format.json_schema.schema'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tool_choice: 'any', tools }, 'tool_choice'],
    [{ tool_choice: { type: 'web_search' }, tools }, 'tool_choice'],
    [{ tool_choice: { type: 'function', function: { name: 'pan' } }, tools }, 'tool_choice'],
    [
      {
        tool_choice: { type: 'function', name: 'ask_before' },
        tools: [{ type: 'function', function: { name: 'ask_before' } }],
      },
      'tool_choice',
    ],
    [{ parallel_tool_calls: 'no', tools }, 'parallel_tool_calls'],
  ])('of chat completions is refused with its path: %j', async (fields, param) => {
    const refused = asha.chat.completions.create({ model: 'local', messages, ...fields } as never);
    await expect(refused).rejects.toMatchObject({ status: 400, param });
  });

  it.each([
    [{ text: { format: { type: 'grammar' } } }, 'text.format.type'],
    [{ text: { format: { type: 'json_schema', name: 'x', schema: { type: 'string' } } } }, 'text.format.schema'],
    [{ tool_choice: { type: 'mcp', server_label: 'x' } }, 'tool_choice'],
    [{ tool_choice: { type: 'function', name: 'pan' } }, 'tool_choice'],
  ])('of responses is refused with its path: %j', async (fields, param) => {
    const refused = asha.responses.create({ model: 'local', input: 'hi', ...fields } as never);
    await expect(refused).rejects.toMatchObject({ status: 400, param });
  });
});

describe('allowed tools', () => {
  const pan = { type: 'function' as const, function: { ...zoom.function, name: 'pan' } };
  const allowed = (mode: 'auto' | 'required') => ({
    type: 'allowed_tools' as const,
    allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'pan' } }] },
  });
  const ask = async (mode: 'auto' | 'required') => {
    const messages = [{ role: 'user' as const, content: 'use the tool zoom with {"by": 2}' }];
    const body = { model: 'local', messages, tools: [zoom, pan], tool_choice: allowed(mode) };
    return (await asha.chat.completions.create(body)).choices[0]?.message.tool_calls ?? [];
  };

  it('hide the other tools, and can be required', async () => {
    expect(await ask('auto')).toEqual([]);
    expect(await ask('required')).toMatchObject([{ function: { name: 'pan' } }]);
  });
});

describe('the built-in model', () => {
  it('fills an object from the message, and any object by json_object', async () => {
    const format = { type: 'json_schema' as const, ...named };
    const { output_text, text } = await asha.responses.create({
      model: 'local',
      input: 'city: Nairobi',
      text: { format },
    });
    expect(JSON.parse(output_text)).toEqual({ city: expect.any(String), rain: false });
    expect(text?.format).toMatchObject({ type: 'json_schema', name: 'weather' });
    const messages = [{ role: 'user' as const, content: 'say: tea' }];
    const any = { model: 'local', messages, response_format: { type: 'json_object' as const } };
    expect((await asha.chat.completions.create(any)).choices[0]?.message.content).toBe('{"answer":"tea"}');
  });
});
