import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config.js';
import { sharedPools } from '../shared-pools.js';
import { openModels } from './model-catalog.js';
import { says, startStandIn } from './providers/stand-in-endpoint.fixture.js';

const endpoint = { LLM_BASE_URL: 'https://llm.example/v1', LLM_MODEL: 'big', LLM_MODELS: 'fast' };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Returns the request body that the endpoint receives for each model, without unset fields. */
async function sent(fields: object, tools: boolean) {
  const server = await startStandIn(says('Hello'));
  closers.push(server.close);
  const env = { ...endpoint, LLM_BASE_URL: server.baseUrl, LLM_MODEL_FIELDS: JSON.stringify(fields) };
  const config = readConfig(env);
  const calls = sharedPools(config).modelCalls;
  const models = await openModels(config.models, { random: () => 0, nowMs: Date.now, calls });
  const open = { name: 'open', description: 'Opens', schema: {} };
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  for (const id of ['big', 'fast']) {
    const request = { messages, oracleName: 'Jua', now: new Date(0), ...(tools ? { tools: [open] } : {}) };
    for await (const _ of models.find(id)?.stream(request, new AbortController().signal) ?? []);
  }
  const always = ['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice'];
  return server.requests.map(({ body }) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !always.includes(name))),
  );
}

describe("the configured fields of a model's request", () => {
  it('are those of all models and its own, which take precedence', async () => {
    const fields = {
      '*': { temperature: 0.2, top_p: 0.9, parallel_tool_calls: false, chat_template_kwargs: { thinking: false } },
      big: { temperature: null, reasoning_effort: 'low', max_completion_tokens: 900 },
    };
    const common = { top_p: 0.9, parallel_tool_calls: false, chat_template_kwargs: { thinking: false } };
    expect(await sent(fields, true)).toEqual([
      { ...common, reasoning_effort: 'low', max_completion_tokens: 900 },
      { ...common, temperature: 0.2, max_tokens: 4_096 },
    ]);
  });

  it('limit the length of an answer under one name, or leave it to the endpoint', async () => {
    expect(await sent({ big: { max_tokens: 700 }, fast: { max_tokens: null } }, false)).toEqual([
      { max_tokens: 700 },
      {},
    ]);
  });

  it('omit tool options without tools, because endpoints refuse them', async () => {
    expect(await sent({ '*': { parallel_tool_calls: true } }, false)).toEqual([
      { max_tokens: 4_096 },
      { max_tokens: 4_096 },
    ]);
  });
});

const problemOf = (fields: unknown, env: object = endpoint) => {
  try {
    const text = typeof fields === 'string' ? fields : JSON.stringify(fields);
    readConfig({ ...env, LLM_MODEL_FIELDS: text });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('LLM_MODEL_FIELDS', () => {
  it.each([
    ['invalid JSON', '{"big":'],
    ['not an object', [1]],
    ["a model's value that is not an object", { big: 1 }],
    ['an unknown model', { other: { temperature: 1 } }],
    ['a field that the service sets', { big: { messages: [] } }],
    ['another model', { big: { model: 'fast' } }],
    ['streaming switched off', { big: { stream: false } }],
    ['two maximum answer lengths', { big: { max_tokens: 400, max_completion_tokens: 400 } }],
    ['two maximum answer lengths in two places', { '*': { max_tokens: 400 }, big: { max_completion_tokens: 400 } }],
    ['a maximum answer length above half of the window', { big: { max_completion_tokens: 16_001 } }],
    ['a temperature out of bounds', { big: { temperature: 2.1 } }],
    ['a share out of bounds', { '*': { top_p: 1.1 } }],
    ['an effort in a sentence', { big: { reasoning_effort: 'as much as it takes' } }],
    ['an invalid field name', { big: { 'a b': 1 } }],
    ['too many fields', { big: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`f${at}`, 1])) }],
    ['too long a value', { big: { stop: 'x'.repeat(16_384) } }],
  ])('with %s is refused at start', (_, fields) => {
    expect(problemOf(fields)).toContain('LLM_MODEL_FIELDS: ');
  });

  it('is refused without an endpoint, and is not repeated in the error', () => {
    expect(problemOf({ '*': { temperature: 1 } }, {})).toContain('LLM_BASE_URL');
    expect(problemOf({ big: { temperature: 'sk-f0f0' } })).not.toContain('f0f0');
    expect(
      problemOf({ small: { reasoning_effort: 'low' } }, { ...endpoint, LLM_SMALL_MODEL: 'small' }),
    ).toBeUndefined();
  });
});
