import { crc32 } from 'node:zlib';
import type { ReceivedRequest, Reply } from '../src/models/providers/stand-in-endpoint.fixture.js';

/** A provider's replies for a turn with one call of `remember`, and its refusals. */
export interface NamedProvider {
  readonly model: string;
  readonly path: RegExp;
  /** Name of the header with the key. */
  readonly key: readonly [name: string, value: string];
  readonly type?: string;
  readonly calls: string | Buffer;
  readonly answers: string | Buffer;
  /** Whether the request has the result of the call. */
  readonly hasResult: (json: string) => boolean;
  /** Required parts of the request with the result: unchanged ids, reasoning and signatures. */
  readonly state: readonly string[];
  /** Required parts of each request. */
  readonly always?: readonly string[];
}

export const providerKey = 'key-0123456789';
const thought = 'It wants a note.';
const args = '{"content":"it rains"}';
const words = 'I will remember that.';

const events = (all: readonly object[]) => all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const namedEvents = (all: readonly { type: string }[]) =>
  all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const bearer = ['authorization', `Bearer ${providerKey}`] as const;
const choice = (delta: object, finish: string | null = null) => ({
  id: 'c-1',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const chatUsage = (prompt: number, completion: number) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
});

/** Providers with the chat completions protocol and their own reasoning fields. */
function chat(model: string, id: string, thinking: readonly object[], state: readonly string[]): NamedProvider {
  const call = { index: 0, id, type: 'function', function: { name: 'remember', arguments: args } };
  const done = 'data: [DONE]\n\n';
  return {
    model,
    path: /\/chat\/completions$/,
    key: bearer,
    calls:
      events([
        ...thinking.map((delta) => choice({ role: 'assistant', ...delta })),
        choice({ role: 'assistant', content: '', tool_calls: [call] }),
        { ...choice({ role: 'assistant', content: '' }, 'tool_calls'), ...chatUsage(90, 30) },
      ]) + done,
    answers:
      events([
        choice({ role: 'assistant', content: words }),
        { ...choice({ content: '' }, 'stop'), ...chatUsage(120, 10) },
      ]) + done,
    hasResult: (json) => json.includes('"role":"tool"'),
    state: [`"id":"${id}"`, `"tool_call_id":"${id}"`, ...state],
  };
}

const responseEnd = (input: number, output: number) => ({
  type: 'response.completed',
  response: {
    incomplete_details: null,
    usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  },
});
const responseCall = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'remember' };
const responses = (key: NamedProvider['key']): NamedProvider => ({
  model: 'gpt-5',
  path: /\/responses$/,
  key,
  calls: events([
    { type: 'response.created', response: { id: 'resp_1', created_at: 1_760_000_000, model: 'gpt-5' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
    { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: 0 },
    { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta: thought },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: {
        type: 'reasoning',
        id: 'rs_1',
        encrypted_content: 'enc-1',
        summary: [{ type: 'summary_text', text: thought }],
      },
    },
    { type: 'response.output_item.added', output_index: 1, item: { ...responseCall, arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: args },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { ...responseCall, arguments: args, status: 'completed' },
    },
    responseEnd(90, 30),
  ]),
  answers: events([
    { type: 'response.created', response: { id: 'resp_2', created_at: 1_760_000_000, model: 'gpt-5' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1' } },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: words },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'msg_1' } },
    responseEnd(120, 10),
  ]),
  hasResult: (json) => json.includes('"function_call_output"'),
  state: ['"encrypted_content":"enc-1"', '"call_id":"call_1"'],
  always: ['"store":false'],
});

const claudeStart = (tokens: number) => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: tokens, output_tokens: 1 },
  },
});
const block = (index: number, start: object, ...deltas: readonly object[]) => [
  { type: 'content_block_start', index, content_block: start },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const claudeEnd = (reason: string, tokens: number) => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: tokens } },
  { type: 'message_stop' },
];

/** An event of Amazon's binary streams. */
function frame(type: string, payload: object): Buffer {
  const header = (name: string, value: string) =>
    Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, 0, value.length]),
      Buffer.from(value),
    ]);
  const headers = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const checked = (bytes: Buffer) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(bytes));
    return Buffer.concat([bytes, sum]);
  };
  return checked(Buffer.concat([checked(prelude), headers, body]));
}

const bedrockUsage = (input: number, output: number) =>
  frame('metadata', { usage: { inputTokens: input, outputTokens: output, totalTokens: input + output }, metrics: {} });
const bedrockDelta = (index: number, delta: object) => frame('contentBlockDelta', { contentBlockIndex: index, delta });

export const namedProviders = {
  openai: responses(bearer),
  azure: responses(['api-key', providerKey]),
  anthropic: {
    model: 'claude-sonnet-4-5',
    path: /\/messages$/,
    key: ['x-api-key', providerKey],
    calls: namedEvents([
      claudeStart(90),
      { type: 'ping' },
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: thought },
        { type: 'signature_delta', signature: 'sig-1' },
      ),
      ...block(
        1,
        { type: 'tool_use', id: 'toolu_01', name: 'remember', input: {} },
        { type: 'input_json_delta', partial_json: args },
      ),
      ...claudeEnd('tool_use', 30),
    ]),
    answers: namedEvents([
      claudeStart(120),
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: words }),
      ...claudeEnd('end_turn', 10),
    ]),
    hasResult: (json) => json.includes('"tool_result"'),
    state: ['"signature":"sig-1"', '"id":"toolu_01"', '"tool_use_id":"toolu_01"'],
  },
  google: {
    model: 'gemini-3-pro-preview',
    path: /\/models\/gemini-3-pro-preview:streamGenerateContent\?alt=sse$/,
    key: ['x-goog-api-key', providerKey],
    calls: events([
      { candidates: [{ content: { role: 'model', parts: [{ text: thought, thought: true }] } }] },
      {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ functionCall: { name: 'remember', args: JSON.parse(args) }, thoughtSignature: 'sig-1' }],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 30, totalTokenCount: 120 },
      },
    ]),
    answers: events([
      {
        candidates: [{ content: { role: 'model', parts: [{ text: words }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 120, candidatesTokenCount: 10, totalTokenCount: 130 },
      },
    ]),
    hasResult: (json) => json.includes('"functionResponse"'),
    state: ['"thoughtSignature":"sig-1"'],
  },
  mistral: chat(
    'magistral-medium',
    'aB3dE6gH9',
    [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: thought }] }] }],
    [thought],
  ),
  deepseek: chat('deepseek-reasoner', 'call_1', [{ reasoning_content: thought }], [`"reasoning_content":"${thought}"`]),
  openrouter: chat(
    'anthropic/claude-sonnet-4.5',
    'toolu_01',
    [
      {
        reasoning: thought,
        reasoning_details: [{ type: 'reasoning.text', text: thought, format: 'anthropic-claude-v1', index: 0 }],
      },
      { reasoning_details: [{ type: 'reasoning.text', signature: 'sig-1', format: 'anthropic-claude-v1', index: 0 }] },
    ],
    ['"signature":"sig-1"', '"reasoning_details"'],
  ),
  bedrock: {
    model: 'anthropic.claude-sonnet-4-5-v1:0',
    path: /\/converse-stream$/,
    key: bearer,
    type: 'application/vnd.amazon.eventstream',
    calls: Buffer.concat([
      frame('messageStart', { role: 'assistant' }),
      bedrockDelta(0, { reasoningContent: { text: thought } }),
      bedrockDelta(0, { reasoningContent: { signature: 'sig-1' } }),
      frame('contentBlockStop', { contentBlockIndex: 0 }),
      frame('contentBlockStart', {
        contentBlockIndex: 1,
        start: { toolUse: { toolUseId: 'tooluse_1', name: 'remember' } },
      }),
      bedrockDelta(1, { toolUse: { input: args } }),
      frame('contentBlockStop', { contentBlockIndex: 1 }),
      frame('messageStop', { stopReason: 'tool_use' }),
      bedrockUsage(90, 30),
    ]),
    answers: Buffer.concat([
      frame('messageStart', { role: 'assistant' }),
      bedrockDelta(0, { text: words }),
      frame('contentBlockStop', { contentBlockIndex: 0 }),
      frame('messageStop', { stopReason: 'end_turn' }),
      bedrockUsage(120, 10),
    ]),
    hasResult: (json) => json.includes('"toolResult"'),
    state: ['"signature":"sig-1"', '"toolUseId":"tooluse_1"'],
  },
} satisfies Readonly<Record<string, NamedProvider>>;

/** The provider's endpoint. Refused requests are listed in `problems`. */
export function providerEndpoint(provider: NamedProvider, problems: string[]): Reply {
  const { path, key, type = 'text/event-stream', calls, answers, hasResult, state, always = [] } = provider;
  return (response, { path: requestPath, headers, body }: ReceivedRequest) => {
    const json = JSON.stringify(body);
    const isAnswered = hasResult(json);
    if (!path.test(requestPath)) problems.push(`unknown path ${requestPath}`);
    if (headers[key[0]] !== key[1]) problems.push('the key is missing');
    const missing = [...always, ...(isAnswered ? state : [])].filter((part) => !json.includes(part));
    problems.push(...missing.map((part) => `${part} is missing`));
    if (problems.length > 0) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: problems[0] } }));
    }
    response.writeHead(200, { 'content-type': type });
    return void response.end(isAnswered || !json.includes('remember') ? answers : calls);
  };
}
