import type { ReceivedRequest, Reply } from '../src/models/providers/stand-in-endpoint.fixture.js';

/** A turn with one call of `remember`, in the documented format of an endpoint. */
export interface Recorded {
  readonly model: string;
  /** The endpoint's refusal of such a request; undefined if it is accepted. */
  readonly refusal?: (body: ReceivedRequest['body']) => { status: number; body: unknown } | undefined;
  /** Lines of the stream with the call, and of the stream with the answer. */
  readonly calls: readonly string[];
  readonly answers: readonly string[];
  /** Reasoning that the stream contains. */
  readonly thought?: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

const args = '{"content":"it rains"}';
const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'remember', arguments: args },
  ...more,
});

/** Events of one stream: each chunk with the fields common to all. */
const stream = (all: object, chunks: readonly object[]) => [
  ...chunks.map((chunk) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...all, ...chunk })}`),
  'data: [DONE]',
];
const choice = (delta: object, finish: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
});
const used = (prompt: number, completion: number, more: object = {}) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...more,
});

/** The name first, then the arguments in pieces. */
const inPieces = (id: string) => [
  choice({
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id, type: 'function', function: { name: 'remember', arguments: '' } }],
  }),
  choice({ tool_calls: [{ index: 0, function: { arguments: args.slice(0, 9) } }] }),
  choice({ tool_calls: [{ index: 0, function: { arguments: args.slice(9) } }] }),
];
const words = [choice({ role: 'assistant', content: 'I will ' }), choice({ content: 'remember that.' })];

const noMaxTokens: Recorded['refusal'] = ({ max_tokens }) =>
  max_tokens === undefined
    ? undefined
    : {
        status: 400,
        body: {
          error: {
            message:
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            type: 'invalid_request_error',
            param: 'max_tokens',
            code: 'unsupported_parameter',
          },
        },
      };

const openAi = {
  id: 'chatcmpl-1',
  created: 1_760_000_000,
  model: 'gpt-5-2025-08-07',
  service_tier: 'default',
  system_fingerprint: null,
  obfuscation: 'aB3',
};
const thinking = { completion_tokens_details: { reasoning_tokens: 20 }, prompt_tokens_details: { cached_tokens: 0 } };

const safe = { hate: { filtered: false, severity: 'safe' } };
const azure = { id: 'chatcmpl-2', created: 1_760_000_000, model: 'o4-mini', system_fingerprint: 'fp_1' };
const azureFirst = {
  id: '',
  created: 0,
  model: '',
  object: '',
  choices: [],
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: safe }],
};
const azureLast = {
  id: '',
  created: 0,
  model: '',
  object: '',
  choices: [
    {
      index: 0,
      finish_reason: null,
      content_filter_results: safe,
      content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
    },
  ],
};

const router = { id: 'gen-1', provider: 'DeepInfra', model: 'deepseek/deepseek-r1', created: 1_760_000_000 };
const thought = (reasoning: string) =>
  choice({
    role: 'assistant',
    content: '',
    reasoning,
    reasoning_details: [{ type: 'reasoning.text', text: reasoning, format: 'unknown', index: 0 }],
  });

const claude = { id: 'msg_01', created: 1_760_000_000, model: 'claude-sonnet-4-5' };
const gemini = { id: 'aGe1', created: 1_760_000_000, model: 'gemini-3-pro-preview' };
const signature = 'EjQKMgEMOdbHJChLX75QUCJjyYlm';
const vllm = { id: 'chatcmpl-3', created: 1_760_000_000, model: 'Qwen/Qwen3-8B' };
const ollama = { id: 'chatcmpl-4', created: 1_760_000_000, model: 'qwen3', system_fingerprint: 'fp_ollama' };

/** Endpoints as documented publicly and recorded by their clients. */
export const recordedEndpoints: Readonly<Record<string, Recorded>> = {
  'OpenAI, a model that thinks': {
    model: 'gpt-5',
    refusal: (body) =>
      noMaxTokens(body) ??
      (body.temperature === undefined || body.temperature === 1
        ? undefined
        : {
            status: 400,
            body: {
              error: { message: 'no', type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' },
            },
          }),
    calls: stream(openAi, [
      ...inPieces('call_1'),
      choice({}, 'tool_calls'),
      { choices: [], usage: used(90, 30, thinking) },
    ]),
    answers: stream(openAi, [...words, choice({}, 'stop'), { choices: [], usage: used(120, 10, thinking) }]),
    usage: { inputTokens: 210, outputTokens: 40 },
  },
  'Azure, with its filter': {
    model: 'my-deployment',
    refusal: noMaxTokens,
    calls: stream(azure, [
      azureFirst,
      ...inPieces('call_1'),
      choice({}, 'tool_calls', { content_filter_results: {} }),
      { choices: [], usage: used(90, 30) },
    ]),
    answers: stream(azure, [
      azureFirst,
      ...words,
      choice({}, 'stop'),
      azureLast,
      { choices: [], usage: used(120, 10) },
    ]),
    usage: { inputTokens: 210, outputTokens: 40 },
  },
  'OpenRouter, a model that thinks': {
    model: 'deepseek/deepseek-r1',
    calls: [
      ': OPENROUTER PROCESSING',
      ...stream(router, [
        thought('It wants '),
        thought('a note.'),
        ...inPieces('call_1'),
        choice({ role: 'assistant', content: '' }, 'tool_calls', { native_finish_reason: 'tool_calls' }),
        { choices: [], usage: used(90, 30, { cost: 0.0002 }) },
      ]),
    ],
    answers: [
      ': OPENROUTER PROCESSING',
      ': OPENROUTER PROCESSING',
      ...stream(router, [
        ...words,
        choice({ content: '' }, 'stop', { native_finish_reason: 'stop' }),
        { choices: [], usage: used(120, 10) },
      ]),
    ],
    thought: 'It wants a note.',
    usage: { inputTokens: 210, outputTokens: 40 },
  },
  "Anthropic's own API": {
    model: 'claude-sonnet-4-5',
    refusal: ({ messages, tools }) =>
      tools === undefined && messages.some(({ tool_calls: made }: { tool_calls?: unknown }) => made !== undefined)
        ? {
            status: 400,
            body: { error: { type: 'invalid_request_error', code: null, param: null, message: 'tools: required' } },
          }
        : undefined,
    calls: stream(claude, [
      choice({ role: 'assistant', content: '' }),
      ...inPieces('toolu_01'),
      { ...choice({}, 'tool_calls'), usage: used(90, 30) },
    ]),
    answers: stream(claude, [...words, { ...choice({}, 'stop'), usage: used(120, 10) }]),
    usage: { inputTokens: 210, outputTokens: 40 },
  },
  "Gemini's own API": {
    model: 'gemini-3-pro-preview',
    refusal: ({ messages }) =>
      JSON.stringify(messages).includes('"tool_calls"') &&
      !JSON.stringify(messages).includes(`"thought_signature":"${signature}"`)
        ? {
            status: 400,
            body: [
              {
                error: {
                  code: 400,
                  status: 'INVALID_ARGUMENT',
                  message: 'Function call is missing a thought_signature in functionCall parts.',
                },
              },
            ],
          }
        : undefined,
    calls: stream(gemini, [
      {
        ...choice(
          {
            role: 'assistant',
            tool_calls: [call('', { extra_content: { google: { thought_signature: signature } } })],
          },
          'stop',
        ),
        usage: used(90, 30),
      },
    ]),
    answers: stream(gemini, [
      choice({ role: 'assistant', content: 'I will ' }),
      { ...choice({ role: 'assistant', content: 'remember that.' }, 'stop'), usage: used(120, 10) },
    ]),
    usage: { inputTokens: 210, outputTokens: 40 },
  },
  'vLLM, with a reasoning parser': {
    model: 'Qwen/Qwen3-8B',
    calls: stream(vllm, [
      choice({ role: 'assistant', content: '' }),
      choice({ reasoning_content: 'A note.' }),
      ...inPieces('chatcmpl-tool-1'),
      choice({ content: '' }, 'tool_calls', { stop_reason: null, logprobs: null }),
      { choices: [], usage: used(90, 30) },
    ]),
    answers: stream(vllm, [
      ...words,
      choice({ content: '' }, 'stop', { stop_reason: null }),
      { choices: [], usage: used(120, 10) },
    ]),
    thought: 'A note.',
    usage: { inputTokens: 210, outputTokens: 40 },
  },
  'Ollama, a model that thinks': {
    model: 'qwen3',
    calls: stream(ollama, [
      choice({ role: 'assistant', content: '', reasoning: 'A note.' }),
      choice({ role: 'assistant', content: '', tool_calls: [call('call_x1', { index: 0 })] }),
      choice({ role: 'assistant', content: '' }, 'tool_calls'),
      { choices: [], usage: used(90, 30) },
    ]),
    answers: stream(ollama, [
      ...words,
      choice({ role: 'assistant', content: '' }, 'stop'),
      { choices: [], usage: used(120, 10) },
    ]),
    thought: 'A note.',
    usage: { inputTokens: 210, outputTokens: 40 },
  },
};

/** The endpoint: refuses invalid requests, calls the tool, and answers the request with its result. */
export function plays({ refusal, calls, answers }: Recorded): Reply {
  return (response, { body }) => {
    const refused = refusal?.(body);
    if (refused !== undefined) {
      response.writeHead(refused.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(refused.body));
      return;
    }
    const hasToolResult = body.messages.at(-1).role === 'tool';
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    // A request without tools is for a title or a summary.
    response.end(`${(hasToolResult || body.tools === undefined ? answers : calls).join('\n\n')}\n\n`);
  };
}
