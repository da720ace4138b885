import { afterEach, describe, expect, it } from 'vitest';
import type { LanguageModel, ModelRequest } from '../language-model.js';
import { openProvider } from './open-provider.js';
import { sdkModel } from './sdk-model.js';
import { type Reply, refusesWith, says, startStandIn } from './stand-in-endpoint.fixture.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const request: ModelRequest = { messages: [{ role: 'user', content: 'Hi' }], oracleName: 'Jua', now: new Date(0) };

async function endpoint(...replies: Reply[]) {
  const server = await startStandIn(...replies);
  closers.push(server.close);
  const provider = 'openai-compatible';
  const opened = new Map<string, LanguageModel>();
  const open = async (id: string) => {
    const model = await openProvider({ provider, model: id, baseUrl: server.baseUrl, apiKey: undefined });
    return sdkModel({ id, provider, model, contextTokens: 8_000, answerTokens: 500 });
  };
  const ask = async (id = 'gpt-5') => {
    const model = opened.get(id) ?? (await open(id));
    opened.set(id, model);
    let text = '';
    for await (const part of model.stream(request, new AbortController().signal)) {
      if (part.type === 'text') text += part.delta;
    }
    return text;
  };
  const limits = () =>
    server.requests.map(({ body: { max_tokens, max_completion_tokens } }) => ({ max_tokens, max_completion_tokens }));
  return { ask, limits };
}

const message =
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
const openAi = { message, type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' };
const old = { max_tokens: 500, max_completion_tokens: undefined };
const current = { max_tokens: undefined, max_completion_tokens: 500 };

describe('the maximum answer length of a model that refuses `max_tokens`', () => {
  it.each([
    ['OpenAI and Azure refuse it', { error: openAi }],
    ['a proxy refuses it, without a code', { error: { message, code: 'invalid_request_body' } }],
    [
      'OpenRouter passes it on',
      {
        error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify({ error: openAi }) } },
      },
    ],
  ])('is sent under its current name if %s, and from then on at once', async (_, body) => {
    const { ask, limits } = await endpoint(refusesWith(400, body), says('Hello'));
    expect(await ask()).toBe('Hello');
    expect(await ask()).toBe('Hello');
    expect(limits()).toEqual([old, current, current]);
  });

  it('is stored only for that model', async () => {
    const { ask, limits } = await endpoint(refusesWith(400, { error: openAi }), says('Hello'));
    await ask('gpt-5');
    await ask('gpt-4');
    expect(limits()).toEqual([old, current, old]);
  });

  it("is not stored after a refusal that persists, so that a user's text cannot cause it", async () => {
    const { ask, limits } = await endpoint(refusesWith(400, { error: openAi }));
    await expect(ask()).rejects.toMatchObject({ status: 400, kind: 'unknown', retryable: false });
    await expect(ask()).rejects.toMatchObject({ status: 400 });
    expect(limits()).toEqual([old, current, old, current]);
  });

  it('is not retried after a refusal for another reason', async () => {
    const tooMany = 'max_tokens is too large: 500. This model supports at most 400 completion tokens.';
    const { ask, limits } = await endpoint(
      refusesWith(400, { error: { message: tooMany, type: 'invalid_request_error', param: 'max_tokens', code: null } }),
    );
    await expect(ask()).rejects.toMatchObject({ status: 400 });
    expect(limits()).toEqual([old]);
  });
});
