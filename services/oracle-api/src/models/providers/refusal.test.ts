import { APICallError } from 'ai';
import { describe, expect, it } from 'vitest';
import { providerError } from './provider-error.js';

/** A refusal as the SDK reports it. */
const refusal = (statusCode: number, body: unknown) =>
  providerError(
    new APICallError({
      message: 'sk-secret-0123',
      url: 'https://llm.example/v1',
      requestBodyValues: { messages: ['a prompt'] },
      statusCode,
      responseBody: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );

const invalid = { type: 'invalid_request_error' };
const noModel = 'has no such model';
const badSetting = 'setting of the request';
const noTools = 'does not accept tools';
const tooLong = 'too long for this model';
const filtered = 'blocked the message';

/** Documented and observed replies of providers. */
const refusals = [
  ['OpenAI, a value', 400, { error: { ...invalid, code: 'unsupported_value', param: 'temperature' } }, badSetting],
  ['OpenAI, a name', 400, { error: { ...invalid, code: 'unknown_parameter', param: 'top_k' } }, badSetting],
  ['OpenAI, a model', 404, { error: { ...invalid, code: 'model_not_found', param: null } }, noModel],
  ['OpenAI, its length', 400, { error: { ...invalid, code: 'context_length_exceeded', param: 'messages' } }, tooLong],
  [
    'OpenAI, a tool',
    400,
    { error: { ...invalid, code: 'invalid_function_parameters', param: 'tools[0].function.parameters' } },
    noTools,
  ],
  [
    'Azure, a deployment',
    404,
    { error: { code: 'DeploymentNotFound', message: 'The API deployment does not exist.' } },
    noModel,
  ],
  ['Azure, its filter', 400, { error: { code: 'content_filter', param: 'prompt', type: null, status: 400 } }, filtered],
  ['OpenRouter, a model', 400, { error: { message: 'openai/gpt-9 is not a valid model ID', code: 400 } }, noModel],
  ['OpenRouter, tools', 404, { error: { message: 'No endpoints found that support tool use.', code: 404 } }, noTools],
  [
    'Anthropic, its length',
    400,
    { error: { ...invalid, message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    tooLong,
  ],
  ['Anthropic, a model', 404, { error: { type: 'not_found_error', message: 'model: claude-9' } }, noModel],
  [
    'Gemini, its length',
    400,
    [
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
        },
      },
    ],
    tooLong,
  ],
  [
    'vLLM, its length',
    400,
    {
      object: 'error',
      type: 'BadRequestError',
      code: 400,
      message: "This model's maximum context length is 4096 tokens.",
    },
    tooLong,
  ],
  [
    'vLLM, tools',
    400,
    {
      error: {
        type: 'BadRequestError',
        code: 400,
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      },
    },
    noTools,
  ],
  [
    'Ollama, tools',
    400,
    {
      error: {
        type: 'invalid_request_error',
        message: 'registry.ollama.ai/library/gemma:latest does not support tools',
      },
    },
    noTools,
  ],
  [
    'Ollama, a model',
    404,
    { error: { type: 'not_found_error', message: 'model "qwen9" not found, try pulling it first' } },
    noModel,
  ],
  [
    'OpenRouter, its filter',
    403,
    { error: { code: 403, message: 'The model requires moderation and your input was flagged' } },
    filtered,
  ],
  ['an unknown provider', 400, { error: { message: 'no' } }, 'refused the request'],
] as const;

describe('a refusal', () => {
  it.each(refusals)('by %s shows the user its kind, and is not retried', (_, status, body, words) => {
    const { kind, detail, retryable } = refusal(status, body);
    expect({ kind, retryable }).toEqual({ kind: 'unknown', retryable: false });
    expect(detail).toContain(words);
  });

  it.each([
    [
      'Gemini, a key',
      400,
      [
        {
          error: { code: 400, status: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' },
        },
      ],
      'auth',
    ],
    [
      'Anthropic, money',
      400,
      { error: { ...invalid, message: 'Your credit balance is too low to access the API.' } },
      'billing',
    ],
    ['Anthropic, load', 529, { error: { type: 'overloaded_error' } }, 'server'],
    ['OpenRouter, money', 402, { error: { code: 402, message: 'Insufficient credits' } }, 'billing'],
  ] as const)('by %s has the kind of its cause, for any status', (_, status, body, kind) => {
    expect(refusal(status, body).kind).toBe(kind);
  });

  it('has its code, type and parameter in the log', () => {
    const openAi = { ...invalid, code: 'unsupported_value', param: 'messages[3].content', message: 'a prompt' };
    const behind = {
      message: 'Provider returned error',
      code: 400,
      metadata: { raw: JSON.stringify({ error: openAi }) },
    };
    for (const error of [openAi, behind]) {
      expect((refusal(400, { error }).cause as Error).message).toBe(
        'the provider answered 400, code unsupported_value, type invalid_request_error, parameter messages[3].content',
      );
    }
    const gemini = [{ error: { code: 400, status: 'INVALID_ARGUMENT' } }];
    expect((refusal(400, gemini).cause as Error).message).toBe('the provider answered 400, code INVALID_ARGUMENT');
  });

  it.each([
    'sk-secret-0123456789',
    'https://llm.example/v1',
    'llm.example',
    'messages[0] a prompt',
    'a prompt',
    'x'.repeat(49),
    'q7Zs',
  ])('keeps text out of the log that is not an identifier, such as %s', (told) => {
    const { cause } = refusal(400, { error: { code: told, type: told, param: told, message: told } });
    expect((cause as Error).message).toBe('the provider answered 400');
  });
});
