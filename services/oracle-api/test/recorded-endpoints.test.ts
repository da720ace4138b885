import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { openModels } from '../src/models/model-catalog.js';
import { startStandIn } from '../src/models/providers/stand-in-endpoint.fixture.js';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import type { MeteredTurn } from '../src/runs/payment.js';
import { sharedPools } from '../src/shared-pools.js';
import { headersOf, newSession, testApp } from './app.fixture.js';
import { plays, type Recorded, recordedEndpoints } from './recorded-endpoints.fixture.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The whole service on the recorded endpoint, with one session. */
async function start(recorded: Recorded) {
  const endpoint = await startStandIn(plays(recorded));
  closers.push(endpoint.close);
  const config = readConfig({ LLM_BASE_URL: endpoint.baseUrl, LLM_API_KEY: 'sk-1', LLM_MODEL: recorded.model });
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
  const answer = async () => {
    const listed = await app.inject({ url: `/messages/${sessionId}`, headers });
    return listed.json().messages.at(-1);
  };
  return { send, answer, used, requests: endpoint.requests };
}

const message = 'Remember that it rains';
const done = [{ name: 'remember', args: { content: 'it rains' }, status: 'done' }];

describe.each(Object.entries(recordedEndpoints))('a turn with a tool at %s', (_, recorded) => {
  const { thought, usage } = recorded;

  it('is streamed incrementally', async () => {
    const { send, answer, used } = await start(recorded);
    const frames = parseSse((await send({ message, stream: true })).body).map(({ event, data }) => ({
      event,
      data: JSON.parse(data) as Record<string, unknown>,
    }));
    const valuesOf = (event: string, field: string) =>
      frames.filter((frame) => frame.event === event).map(({ data }) => data[field]);
    expect(valuesOf('error', 'detail')).toEqual([]);
    expect(valuesOf('message', 'content').join('')).toBe('I will remember that.');
    expect(valuesOf('reasoning', 'reasoning').join('')).toBe(thought ?? '');
    expect(valuesOf('tool_call', 'status')).toEqual(['isRunning', 'done']);
    expect(valuesOf('done', 'status')).toEqual(['finished']);
    expect(await answer()).toMatchObject({ content: 'I will remember that.', toolCalls: done });
    expect(used[0]).toMatchObject({ ...usage, isEstimated: false });
  });

  it('is answered whole without a stream', async () => {
    const { send, answer, requests } = await start(recorded);
    const reply = await send({ message });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().message.content).toBe('I will remember that.');
    expect(await answer()).toMatchObject({ toolCalls: done });
    const [tool] = requests.filter(({ body }) => body.messages.at(-1).role === 'tool');
    expect(tool?.body.messages.at(-2).tool_calls).toMatchObject([{ function: { name: 'remember' } }]);
  });
});
