import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../src/config.js';
import { openModels } from '../src/models/model-catalog.js';
import {
  callsTool,
  hangs,
  type Reply,
  refuses,
  refusesWith,
  says,
  startStandIn,
  streams,
} from '../src/models/providers/stand-in-endpoint.fixture.js';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import type { MeteredTurn } from '../src/runs/payment.js';
import { sharedPools } from '../src/shared-pools.js';
import { headersOf, newSession, testApp } from './app.fixture.js';
import { openTestStores, type TestStores } from './stores.fixture.js';

const apiKey = 'sk-secret-0123456789';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The whole service on a scripted endpoint, by default with a database of its own. Collects public output and logs. */
async function start(replies: readonly Reply[], env: Record<string, string> = {}, shared?: TestStores) {
  const stores = shared ?? (await openTestStores());
  const endpoint = await startStandIn(...replies);
  closers.push(endpoint.close);
  const config = readConfig({
    LLM_BASE_URL: endpoint.baseUrl,
    LLM_API_KEY: apiKey,
    LLM_MODEL: 'big',
    LLM_MODELS: 'fast',
    ...env,
  });
  const seen: string[] = [];
  const logger = createLogger({
    service: 'test',
    level: 'trace',
    destination: { write: (line: string) => void seen.push(line) },
  });
  const used: MeteredTurn[] = [];
  const { app } = await testApp({
    logger,
    stores,
    models: await openModels(config.models, {
      random: () => 0,
      nowMs: Date.now,
      calls: sharedPools(config).modelCalls,
    }),
    meters: [{ record: (turn) => void used.push(turn) }],
  });
  closers.push(() => app.close());
  const headers = await headersOf('a');
  const sessionId = await newSession(app, headers);
  const send = async (body: object) => {
    const reply = await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload: body });
    seen.push(reply.body, JSON.stringify(reply.headers));
    return reply;
  };
  const stream = async (message: string, fields: object = {}) => {
    const reply = await send({ message, stream: true, ...fields });
    return parseSse(reply.body).map(({ event, data }) => ({
      event,
      data: JSON.parse(data) as Record<string, unknown>,
    }));
  };
  const expectNoSecrets = async () => {
    for (const url of ['/metrics', '/models', `/sessions/${sessionId}/run`, '/docs/json']) {
      seen.push((await app.inject({ url, headers })).body);
    }
    const all = seen.join('\n');
    for (const secret of [apiKey, endpoint.baseUrl, new URL(endpoint.baseUrl).host, 'chat/completions']) {
      expect(all).not.toContain(secret);
    }
  };
  return {
    app,
    seen,
    used,
    headers,
    sessionId,
    requests: endpoint.requests,
    mostAtOnce: endpoint.mostAtOnce,
    send,
    stream,
    expectNoSecrets,
  };
}

const failed = (kind: string) => ({ event: 'error', data: { kind, source: 'model' } });

describe('a turn on an OpenAI-compatible endpoint', () => {
  it('streams word by word, and stores the answer', async () => {
    const { stream, app, headers, sessionId, expectNoSecrets } = await start([
      says('All is well here', { paceMs: 20 }),
    ]);
    const frames = await stream('How are you?');
    expect(frames.map(({ event }) => event)).toEqual(['run', 'message', 'message', 'message', 'message', 'done']);
    const listed = await app.inject({ url: `/messages/${sessionId}`, headers });
    expect(listed.json().messages.at(-1)).toMatchObject({ type: 'ai', content: 'All is well here' });
    await expectNoSecrets();
  });

  it('uses the model of the message, and refuses an unknown one', async () => {
    const { app, send, requests } = await start([says('Hello')]);
    expect((await app.inject({ url: '/models' })).json()).toEqual({
      models: [
        { id: 'big', label: 'big', isDefault: true },
        { id: 'fast', label: 'fast', isDefault: false },
      ],
      default: 'big',
    });
    expect((await send({ message: 'a' })).statusCode).toBe(200);
    expect((await send({ message: 'b', model: 'fast' })).statusCode).toBe(200);
    const refused = await send({ message: 'c', model: 'local' });
    expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringContaining('model')]);
    const answers = requests.filter(({ body }) => JSON.stringify(body.messages.at(-1)).includes('content'));
    expect(new Set(answers.map(({ body }) => body.model))).toEqual(new Set(['big', 'fast']));
  });

  it('times out on a silent endpoint, and closes the request', async () => {
    const { stream, requests } = await start([hangs], { LLM_TIMEOUT_MS: '100' });
    const frames = await stream('Hi');
    expect(frames.at(-2)).toMatchObject(failed('timeout'));
    await requests[0]?.closed;
    expect(requests).toHaveLength(1);
  });

  it('shows the user the subject of a refusal, and logs its code', async () => {
    const error = { code: 'unsupported_value', type: 'invalid_request_error', param: 'temperature', message: apiKey };
    const { stream, seen, expectNoSecrets } = await start([refusesWith(400, { error })]);
    const frames = await stream('Hi');
    expect(frames.at(-2)?.data).toMatchObject({
      kind: 'unknown',
      status: 400,
      retryable: false,
      detail: expect.stringContaining('A setting of the request does not fit this model.'),
    });
    const line = seen.find((text) => text.includes('"turn failed"'));
    expect(line).toContain('400, code unsupported_value, type invalid_request_error, parameter temperature');
    await expectNoSecrets();
  });

  it('with an answer at the length limit reports it in the stream, in the list of messages and in a later stream', async () => {
    const { stream, send, app, headers, sessionId } = await start([says('All is', { finish: 'length' })]);
    const frames = await stream('Hi');
    const { runId } = frames[0]?.data ?? {};
    expect(frames.at(-1)?.data).toEqual({
      runId,
      messageId: expect.any(String),
      status: 'finished',
      finishReason: 'length',
      model: 'big',
      usage: expect.any(Object),
    });
    const listed = await app.inject({ url: `/messages/${sessionId}`, headers });
    expect(listed.json().messages.at(-1)).toMatchObject({ content: 'All is', finishReason: 'length' });
    expect(listed.json().messages[0]).not.toHaveProperty('finishReason');
    const whole = (await send({ message: 'And?' })).json();
    expect(whole.message).toMatchObject({ content: 'All is', finishReason: 'length' });
    const replayed = parseSse((await app.inject({ url: `/runs/${String(runId)}`, headers })).body);
    expect(JSON.parse(replayed.at(-1)?.data ?? '')).toMatchObject({ finishReason: 'length' });
  });

  it('that spent its whole answer on reasoning is not retried', async () => {
    const { stream } = await start([streams([{ reasoning_content: 'Hm' }], { finish: 'length' })]);
    expect((await stream('Hi')).at(-2)?.data).toMatchObject({
      retryable: false,
      detail: expect.stringContaining('length limit'),
    });
  });

  it('closes the request if the user aborts', async () => {
    const { stream, app, headers, sessionId, requests } = await start([says('All is', { end: 'hang' })]);
    const reading = stream('Hi');
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    const aborted = await app.inject({ method: 'POST', url: '/messages/abort', headers, payload: { sessionId } });
    expect(aborted.json()).toEqual({ success: true });
    expect((await reading).at(-1)?.data).toMatchObject({ status: 'aborted', aborted: true });
    await requests[0]?.closed;
  });

  it('returns invalid arguments to the model once, with the error', async () => {
    const { stream, requests, expectNoSecrets } = await start([
      callsTool({ name: 'remember', args: '{"content":' }),
      callsTool({ name: 'remember', args: '{"content":"it rains"}' }),
      says('I will.'),
    ]);
    const frames = await stream('Remember that it rains');
    const outputs = frames.filter(({ event, data }) => event === 'tool_call' && data['status'] === 'done');
    expect(outputs.map(({ data }) => data['output'])).toEqual([
      expect.stringContaining('not a JSON object'),
      expect.stringContaining('it rains'),
    ]);
    expect(frames.at(-1)?.data).toMatchObject({ status: 'finished' });
    expect(requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('JSON') });
    await expectNoSecrets();
  });

  it("gives the model its name, its tools and the user's preferences", async () => {
    const { send, requests } = await start([
      callsTool({ name: 'set_user_preferences', args: '{"userName":"Alex","tone":"cheerful"}' }),
      says('Done.'),
    ]);
    await send({ message: 'Call me Alex, and be cheerful' });
    await send({ message: 'Hello' });
    const helloRequest = requests.find(({ body }) => body.messages.at(-1).content === 'Hello');
    const system = helloRequest?.body.messages[0];
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('Call the user: "Alex"') });
    expect(system.content).toContain('cheerful');
    expect(system.content).toContain('You are Jua');
    const names = requests[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining(['set_user_preferences', 'remember', 'recall', 'forget']));
  });

  it('reports its usage as counted, else as estimated, and none after a refusal', async () => {
    const stores = await openTestStores();
    const counted = await start([says('Yes')], {}, stores);
    await counted.send({ message: 'Hi' });
    const { sessionId } = counted;
    expect(counted.used).toMatchObject([
      { sessionId, modelId: 'big', inputTokens: 11, outputTokens: 7, isEstimated: false },
    ]);
    const cut = await start([says('All is well', { end: 'cut', paceMs: 5 })], {}, stores);
    await cut.send({ message: 'Hi' });
    expect(cut.used).toMatchObject([{ isEstimated: true, outputTokens: 4 }]);
    const refused = await start([refuses(401)], {}, stores);
    await refused.send({ message: 'Hi' });
    expect(refused.used).toEqual([]);
  });

  it('titles sessions with the small model', async () => {
    const { send, app, headers, requests } = await start([says('Trees'), says('Planting trees')], {
      LLM_SMALL_MODEL: 'tiny',
    });
    await send({ message: 'When do I plant trees?' });
    await vi.waitFor(async () => {
      const { sessions } = (await app.inject({ url: '/sessions', headers })).json();
      expect(sessions[0].title).toBe('Planting trees');
    });
    expect(requests.map(({ body }) => body.model)).toEqual(['big', 'tiny']);
  });

  it('separates reasoning from the answer', async () => {
    const { stream } = await start([streams([{ reasoning_content: 'Hm.' }, { content: 'Yes.' }])]);
    const frames = await stream('Hi');
    expect(frames.map(({ event }) => event)).toEqual(['run', 'reasoning', 'message', 'reasoning', 'done']);
  });

  it('runs a bounded number of model requests per user, and queues the others', async () => {
    const { app, headers, mostAtOnce } = await start([says('Hello', { paceMs: 50 })], {
      LLM_CALLS_PER_USER: '1',
      LLM_SMALL_MODEL: 'tiny',
    });
    const sessions = await Promise.all([newSession(app, headers), newSession(app, headers)]);
    const replies = await Promise.all(
      sessions.map((id) => app.inject({ method: 'POST', url: `/messages/${id}`, headers, payload: { message: 'Hi' } })),
    );
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(mostAtOnce('big')).toBe(1);
  });
});
