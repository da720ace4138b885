import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { openModels } from '../src/models/model-catalog.js';
import { type Reply, refuses, says, startStandIn } from '../src/models/providers/stand-in-endpoint.fixture.js';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import type { MeteredTurn } from '../src/runs/payment.js';
import { sharedPools } from '../src/shared-pools.js';
import { headersOf, newSession, testApp } from './app.fixture.js';
import { namedProviders, providerEndpoint, providerKey } from './named-providers.fixture.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(...replies: Reply[]) {
  const endpoint = await startStandIn(...replies);
  closers.push(endpoint.close);
  return endpoint;
}

/** The whole service with the models of a configuration, and one session. */
async function start(env: Record<string, string>) {
  const config = readConfig(env);
  const used: MeteredTurn[] = [];
  const models = await openModels(config.models, {
    random: () => 0,
    nowMs: Date.now,
    calls: sharedPools(config).modelCalls,
  });
  const { app } = await testApp({ models, meters: [{ record: (turn) => void used.push(turn) }] });
  closers.push(() => app.close());
  const headers = await headersOf('a');
  const sessionId = await newSession(app, headers);
  const send = (payload: object) => app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
  const stream = async (message: string) =>
    parseSse((await send({ message, stream: true })).body).map(({ event, data }) => ({
      event,
      data: JSON.parse(data) as Record<string, unknown>,
    }));
  return { send, stream, used };
}

type Frames = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['stream']>>;
const joined = (frames: Frames, name: string, field: string) =>
  frames
    .filter(({ event }) => event === name)
    .map(({ data }) => data[field])
    .join('');
const doneOf = (frames: Frames) => frames.find(({ event }) => event === 'done')?.data;

describe.each(Object.entries(namedProviders))('LLM_PROVIDER=%s', (name, provider) => {
  const startProvider = async () => {
    const problems: string[] = [];
    const endpoint = await listen(providerEndpoint(provider, problems));
    const settings = { LLM_BASE_URL: endpoint.baseUrl, LLM_API_KEY: providerKey, LLM_MODEL: provider.model };
    return { ...(await start({ LLM_PROVIDER: name, ...settings })), problems };
  };

  it('answers a turn with a tool, with unchanged ids, reasoning and signatures', async () => {
    const { stream, used, problems } = await startProvider();
    const frames = await stream('Remember that it rains');
    expect(problems).toEqual([]);
    expect(joined(frames, 'message', 'content')).toBe('I will remember that.');
    expect(joined(frames, 'reasoning', 'reasoning')).toBe('It wants a note.');
    expect(joined(frames, 'tool_call', 'status')).toBe('isRunningdone');
    expect(doneOf(frames)).toMatchObject({ status: 'finished', model: provider.model });
    expect(used[0]).toMatchObject({ inputTokens: 210, outputTokens: 40, isEstimated: false, modelId: provider.model });
  });

  it('answers without a stream', async () => {
    const { send, problems } = await startProvider();
    const reply = await send({ message: 'Remember that it rains' });
    expect(problems).toEqual([]);
    expect(reply.json()).toMatchObject({ message: { content: 'I will remember that.' } });
  });
});

describe('several endpoints', () => {
  const both = async (first: Reply, second: Reply) => {
    const [main, backup] = [await listen(first), await listen(second)];
    const entries = `main=openai-compatible:big@${main.baseUrl},backup=openai-compatible:small@${backup.baseUrl}`;
    return { main, backup, ...(await start({ LLM_MODELS: entries, LLM_API_KEYS: 'backup=sk-2' })) };
  };

  it('fail over: one that fails before its first token is replaced by the next, which the run names', async () => {
    const { main, backup, stream, used } = await both(refuses(401), says('Hello'));
    const frames = await stream('Hi');
    expect(joined(frames, 'message', 'content')).toBe('Hello');
    expect(doneOf(frames)).toMatchObject({ status: 'finished', model: 'backup' });
    expect(used[0]?.modelId).toBe('backup');
    expect(main.requests[0]?.headers.authorization).toBeUndefined();
    expect(backup.requests[0]?.headers.authorization).toBe('Bearer sk-2');
    expect(backup.requests[0]?.body.model).toBe('small');
  });

  it('do not fail over after the first token', async () => {
    const { backup, stream } = await both(says('All is', { end: 'cut', paceMs: 5 }), says('Hello'));
    const frames = await stream('Hi');
    expect(joined(frames, 'message', 'content')).toBe('All is');
    expect(doneOf(frames)).toMatchObject({ status: 'failed', model: 'main' });
    expect(backup.requests).toEqual([]);
  });

  it('are selected by name, and do not fail over to an earlier one', async () => {
    const { main, backup, send } = await both(says('One'), refuses(400));
    const reply = await send({ message: 'Hi', model: 'backup' });
    expect(reply.statusCode).toBe(500);
    expect([main.requests.length, backup.requests.length]).toEqual([0, 1]);
  });
});
