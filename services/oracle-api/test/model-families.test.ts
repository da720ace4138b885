import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { openModels } from '../src/models/model-catalog.js';
import { says, startStandIn, streams } from '../src/models/providers/stand-in-endpoint.fixture.js';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import { sharedPools } from '../src/shared-pools.js';
import { headersOf, newSession, testApp } from './app.fixture.js';
import { at, bank, open } from './bank-with-approvals.fixture.js';
import { familyEndpoint, type ModelFamily, modelFamilies } from './model-families.fixture.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The whole service on the endpoint of a family, with one session. */
async function start(family: ModelFamily) {
  const problems: string[] = [];
  const endpoint = await startStandIn(familyEndpoint(family, problems));
  closers.push(endpoint.close);
  const config = readConfig({ LLM_BASE_URL: endpoint.baseUrl, LLM_API_KEY: 'sk-1', LLM_MODEL: 'm' });
  // By this clock the time for retries is over at once: a failed turn does not wait.
  let nowMs = 0;
  const models = await openModels(config.models, {
    random: () => 0,
    nowMs: () => (nowMs += config.models.LLM_TIMEOUT_MS),
    calls: sharedPools(config).modelCalls,
  });
  const { app } = await testApp({ models });
  closers.push(() => app.close());
  const headers = await headersOf('a');
  const sessionId = await newSession(app, headers);
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload });
  const send = (message: string, more: object = {}) => post(`/messages/${sessionId}`, { message, ...more });
  const saved = async () => (await app.inject({ url: `/messages/${sessionId}`, headers })).json().messages.at(-1);
  const title = async () => (await app.inject({ url: '/sessions', headers })).json().sessions[0].title;
  const stop = () => post('/messages/abort', { sessionId });
  return { send, saved, title, stop, problems, requests: endpoint.requests };
}

describe.each(Object.entries(modelFamilies))('%s', (_, family) => {
  it('answers turns of two steps with two calls each, in a session with a stopped and a failed turn', async () => {
    const { send, saved, stop, problems, requests } = await start(family);
    const frames = parseSse((await send('Remember that it rains', { stream: true })).body);
    expect(problems).toEqual([]);
    expect(frames.filter(({ event }) => event === 'error')).toEqual([]);
    expect(await saved()).toMatchObject({ content: 'Noted.', toolCalls: Array(4).fill({ status: 'done' }) });

    const stopped = send('Stop here', { stream: true });
    const stopRequests = () => requests.filter(({ body }) => body.messages.at(-1).content === 'Stop here');
    await expect.poll(() => stopRequests().length).toBe(1 + (family.refusals ?? 0));
    await stop();
    expect((await stopped).body).toContain('"aborted"');
    expect((await send('Break here')).statusCode).toBe(503);

    const replied = await send('And now?');
    expect(problems).toHaveLength(family.refusals ?? 0);
    expect(replied.json()).toMatchObject({ message: { content: 'Noted.' } });
  });
});

describe('a turn that waited for approval', () => {
  it('continues with the unchanged ids and reasoning of its steps', async () => {
    const call = {
      index: 0,
      id: 'functions.pay:0',
      type: 'function',
      function: { name: 'pay', arguments: '{"amount":5}' },
    };
    const endpoint = await startStandIn(
      streams([{ reasoning_content: 'They owe it.' }, { tool_calls: [call] }], { finish: 'tool_calls' }),
      says('Paid.'),
    );
    closers.push(endpoint.close);
    const oracle = await open([bank([])], { LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'm' });
    const user = await oracle.newUser();
    const session = await user.openSession();
    const me = at(oracle, user);
    await me.pay(session, 5);
    await me.settle({ decision: 'allow' });
    await me.ended(session);
    const last = endpoint.requests.find(({ body }) => body.messages.at(-1).role === 'tool');
    expect(last?.body.messages.slice(-2)).toMatchObject([
      { role: 'assistant', reasoning_content: 'They owe it.', tool_calls: [{ id: 'functions.pay:0' }] },
      { role: 'tool', tool_call_id: 'functions.pay:0' },
    ]);
  });
});

describe('reasoning in the text', () => {
  it('is separated: neither the answer nor the title contains it', async () => {
    const { send, title, requests } = await start({
      step: () => [{ content: '<think>It wants a note.</think>\n\nI see.' }],
      problem: () => undefined,
    });
    const frames = parseSse((await send('Hello', { stream: true })).body);
    const joined = (name: string, field: string) =>
      frames
        .filter(({ event }) => event === name)
        .map(({ data }) => JSON.parse(data)[field])
        .join('');
    expect(joined('reasoning', 'reasoning')).toBe('It wants a note.');
    expect(joined('message', 'content')).toBe('I see.');
    await expect.poll(title).not.toBe('Untitled');
    expect(requests.some(({ body }) => body.tools === undefined)).toBe(true);
    expect(await title()).not.toContain('think');
  });
});
