import { type RunEventName, runEvents } from '@mlango/schemas/oracle-events';
import { sendMessageReply } from '@mlango/schemas/oracle-send';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';
import type { Deps } from '../deps.js';
import { ModelError } from '../models/model-error.js';
import { gate, scriptedModel } from '../models/scripted-model.fixture.js';
import { parseSse } from '../runs/log/parse-sse.fixture.js';

let app: HttpApp;
let asha: Record<string, string>;
beforeAll(async () => {
  ({ app } = await testApp());
  asha = await headersOf('a');
});
afterAll(() => app.close());

const send = (on: HttpApp, sessionId: string, payload: object, headers: Record<string, string> = {}) =>
  on.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: { ...asha, ...headers }, payload });
const list = async (on: HttpApp, sessionId: string) =>
  (await on.inject({ url: `/messages/${sessionId}`, headers: asha })).json().messages;

describe('a send without a stream', () => {
  it('returns the answer under the request id', async () => {
    const sessionId = await newSession(app, asha);
    const reply = await send(app, sessionId, { message: 'Hello' });
    expect(reply.statusCode).toBe(200);
    const body = sendMessageReply.strict().parse(reply.json());
    expect(body).toEqual({
      message: { type: 'ai', content: expect.stringContaining('Hello!'), id: reply.headers['x-request-id'] },
      sessionId,
      status: 'finished',
    });
    expect(reply.headers['x-run-id']).toEqual(expect.any(String));
    expect(reply.headers['x-run-status']).toBe('finished');
  });

  it('returns the transcript on request, as the list has it', async () => {
    const sessionId = await newSession(app, asha);
    await send(app, sessionId, { message: 'My name is Asha' });
    const reply = await send(app, sessionId, { message: 'What is my name?', returnAllMessages: true });
    const { message, messages } = sendMessageReply.strict().parse(reply.json());
    expect(message.content).toBe('Your name is Asha.');
    expect(messages).toEqual(await list(app, sessionId));
    expect(messages?.map(({ type }) => type)).toEqual(['human', 'ai', 'human', 'ai']);
    expect(messages?.at(-1)).toMatchObject({ id: message.id, isComplete: true, isReasoning: false });
  });

  it('prefers the time zone of the body over that of the header', async () => {
    const sessionId = await newSession(app, asha);
    const ask = async (body: object, headers: Record<string, string>) =>
      (await send(app, sessionId, { message: 'What time is it?', ...body }, headers)).json().message.content;
    expect(await ask({}, { 'x-timezone': 'Africa/Nairobi' })).toContain('(Africa/Nairobi)');
    expect(await ask({ timezone: 'Asia/Tokyo' }, { 'x-timezone': 'Africa/Nairobi' })).toContain('(Asia/Tokyo)');
    expect(await ask({}, {})).toContain('(UTC)');
  });

  it('sets the title of a session once', async () => {
    const sessionId = await newSession(app, asha);
    const titleOf = async () =>
      (await app.inject({ url: '/sessions?limit=100', headers: asha }))
        .json()
        .sessions.find((session: { sessionId: string }) => session.sessionId === sessionId).title;
    expect(await titleOf()).toBe('Untitled');
    await send(app, sessionId, { message: 'Plant trees' });
    await vi.waitFor(async () => expect(await titleOf()).toBe('Plant trees'));
    await send(app, sessionId, { message: 'Another thing' });
    expect(await titleOf()).toBe('Plant trees');
  });

  it('accepts every field of the contract', async () => {
    const sessionId = await newSession(app, asha);
    const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
    const reply = await send(app, sessionId, {
      message: 'Hello',
      stream: false,
      tools: [{ name: 'scroll', description: 'd', schema }],
      agActions: [{ name: 'plot', description: 'd', schema, hasRender: false }],
      attachments: [{ eventId: '$event', filename: 'a.pdf', mimetype: 'application/pdf', category: 'doc', size: 1 }],
      mcpInvocations: { search: 'b2theQ==' },
      timezone: 'Africa/Nairobi',
      homeServer: 'matrix.example.org',
      metadata: { spaceId: 's' },
      model: 'local',
      requestId: 'req:1',
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().message.id).toBe('req:1');
    expect(reply.headers['x-request-id']).toBe('req:1');
  });

  it.each([
    [{}, 'message'],
    [{ message: '' }, 'message'],
    [{ message: 'x'.repeat(32_001) }, 'message'],
    [{ message: 1 }, 'message'],
    [{ message: 'a', stream: 'yes' }, 'stream'],
    [{ message: 'a', attachments: Array(11).fill({ eventId: '$e', filename: 'f', mimetype: 'm/t' }) }, 'attachments'],
    [{ message: 'a', timezone: 'Mars/Base' }, 'timezone'],
    [{ message: 'a', model: 'gpt-none' }, 'model'],
    [{ message: 'a', requestId: 'with blank' }, 'requestId'],
    [{ message: 'a', metadata: { big: 'x'.repeat(16_384) } }, 'metadata'],
  ])('is refused and names the field: %#', async (payload, field) => {
    const sessionId = await newSession(app, asha);
    const reply = await send(app, sessionId, payload);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: expect.stringContaining(field),
    });
    expect(await list(app, sessionId)).toEqual([]);
  });

  it('is refused if its JSON is nested too deep', async () => {
    const payload = `{"message":"a","metadata":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const headers = { ...asha, 'content-type': 'application/json' };
    const reply = await app.inject({ method: 'POST', url: '/messages/x', headers, payload });
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('metadata')]);
  });

  it.each(['tools', 'agActions'])('is refused if a schema in %s is nested too deep', async (field) => {
    const sessionId = await newSession(app, asha);
    const headers = { ...asha, 'content-type': 'application/json' };
    for (const levels of [64, 20_000]) {
      const schema = `${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`;
      const payload = `{"message":"a","${field}":[{"name":"t","description":"d","schema":${schema}}]}`;
      const reply = await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
      expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(`${field}.0.schema`)]);
    }
    const schema = { properties: { a: { properties: { b: { items: { properties: { c: { type: 'string' } } } } } } } };
    const usual = { message: 'a', [field]: [{ name: 't', description: 'd', schema }] };
    expect((await send(app, sessionId, usual)).statusCode).toBe(200);
  });

  it('is refused if the time zone header is invalid', async () => {
    const sessionId = await newSession(app, asha);
    const reply = await send(app, sessionId, { message: 'a' }, { 'x-timezone': 'Nowhere/Land' });
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('x-timezone')]);
  });

  it('runs once per requestId, while a correlation id may repeat', async () => {
    const sessionId = await newSession(app, asha);
    expect((await send(app, sessionId, { message: 'one', requestId: 'r1' })).statusCode).toBe(200);
    const again = await send(app, sessionId, { message: 'one', requestId: 'r1' });
    expect([again.statusCode, again.json().error]).toEqual([409, 'Conflict']);
    const ids = [];
    for (let i = 0; i < 2; i++) {
      const reply = await send(app, sessionId, { message: 'hi' }, { 'x-request-id': 'trace-1' });
      expect(reply.headers['x-request-id']).toBe('trace-1');
      ids.push(reply.json().message.id);
    }
    expect(ids[0]).toBe('trace-1');
    expect(ids[1]).not.toBe('trace-1');
    expect(await list(app, sessionId)).toHaveLength(6);
  });

  it.each([
    [new ModelError('timeout', 'slow', { retryable: true }), 504],
    [new ModelError('server', 'down at https://llm.example', { retryable: true }), 503],
    [new Error('key sk-123 refused'), 500],
  ])('gets a general error text for a failure: %#', async (failure, status) => {
    const broken = await testApp({ model: scriptedModel([failure]).model });
    const sessionId = await newSession(broken.app, asha);
    const reply = await send(broken.app, sessionId, { message: 'hi' });
    expect(reply.statusCode).toBe(status);
    expect(reply.json().statusCode).toBe(status);
    expect(reply.body).not.toMatch(/llm\.example|sk-123/);
    await broken.app.close();
  });

  it('gets 503 with Retry-After if the process is full', async () => {
    const full = await testApp({ activeTurns: 0 });
    const reply = await send(full.app, await newSession(full.app, asha), { message: 'hi' });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
    await full.app.close();
  });
});

describe('a streamed send', () => {
  it('gets run, deltas and done in the form of the contract, with growing ids', async () => {
    const sessionId = await newSession(app, asha);
    const reply = await send(app, sessionId, { message: 'count to 30', stream: true });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
      'x-run-id': expect.any(String),
      'x-run-status': 'running',
    });
    const events = parseSse(reply.body);
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => index + 1));
    for (const { event, data } of events) runEvents[event as RunEventName].strict().parse(JSON.parse(data));
    const [first, ...rest] = events;
    expect(first?.event).toBe('run');
    expect(JSON.parse(first?.data ?? '')).toEqual({
      runId: reply.headers['x-run-id'],
      sessionId,
      requestId: reply.headers['x-request-id'],
    });
    expect(rest.at(-1)?.event).toBe('done');
    const text = rest
      .slice(0, -1)
      .map(({ data }) => JSON.parse(data).content)
      .join('');
    const [, answer] = await list(app, sessionId);
    expect(answer).toMatchObject({ type: 'ai', content: text, id: reply.headers['x-request-id'] });
    expect(JSON.parse(rest.at(-1)?.data ?? '')).toMatchObject({ status: 'finished', messageId: answer.id });
  });

  it('is refused as JSON before any event', async () => {
    for (const [payload, id, status] of [
      [{ message: 'hi', stream: true }, 'nowhere', 404],
      [{ message: '', stream: true }, 'nowhere', 400],
    ] as const) {
      const reply = await send(app, id, payload);
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([
        status,
        expect.stringContaining('application/json'),
      ]);
      expect(reply.headers['x-run-id']).toBeUndefined();
    }
  });

  it('ends with done also after an error', async () => {
    const broken = await testApp({ model: scriptedModel(['half ', new Error('boom')]).model });
    const sessionId = await newSession(broken.app, asha);
    const events = parseSse((await send(broken.app, sessionId, { message: 'hi', stream: true })).body);
    expect(events.map(({ event }) => event)).toEqual(['run', 'message', 'error', 'done']);
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({
      status: 'failed',
      failed: true,
      partialText: 'half ',
    });
    await broken.app.close();
  });
});

describe('a stopped turn', () => {
  const running = async (): Promise<{
    app: HttpApp;
    deps: Deps;
    sessionId: string;
    stream: ReturnType<typeof send>;
  }> => {
    const { app, deps } = await testApp({
      model: scriptedModel(({ messages }) => (messages.length === 1 ? ['part', gate().opened] : ['ok'])).model,
    });
    const sessionId = await newSession(app, asha);
    const stream = send(app, sessionId, { message: 'hi', stream: true });
    await vi.waitFor(async () => expect(await list(app, sessionId)).toHaveLength(1));
    return { app, deps, sessionId, stream };
  };
  const doneOf = async (stream: ReturnType<typeof send>) =>
    JSON.parse(parseSse((await stream).body).at(-1)?.data ?? '');

  it('ends its stream as aborted, and the partial text is stored', async () => {
    const { app, sessionId, stream } = await running();
    const abort = () => app.inject({ method: 'POST', url: '/messages/abort', headers: asha, payload: { sessionId } });
    expect((await abort()).json()).toEqual({ success: true });
    expect(await doneOf(stream)).toMatchObject({ status: 'aborted', aborted: true, partialText: 'part' });
    expect((await list(app, sessionId)).map(({ content }: { content: string }) => content)).toEqual(['hi', 'part']);
    expect((await abort()).json()).toEqual({ success: false });
    await app.close();
  });

  it('is interrupted if a newer message arrives', async () => {
    const { app, sessionId, stream } = await running();
    expect((await send(app, sessionId, { message: 'second' })).json().message.content).toBe('ok');
    expect(await doneOf(stream)).toMatchObject({ status: 'interrupted', interrupted: true });
    await app.close();
  });

  it('leaves nothing after the deletion of its session', async () => {
    const { app, sessionId, stream } = await running();
    expect((await app.inject({ method: 'DELETE', url: `/sessions/${sessionId}`, headers: asha })).statusCode).toBe(200);
    expect(await doneOf(stream)).toMatchObject({ status: 'aborted' });
    expect(await list(app, sessionId)).toEqual([]);
    await app.close();
  });

  it('continues if another user requests the abort', async () => {
    const { app, sessionId, stream } = await running();
    const bo = await headersOf('b');
    const reply = await app.inject({ method: 'POST', url: '/messages/abort', headers: bo, payload: { sessionId } });
    expect(reply.json()).toEqual({ success: false });
    await app.close();
    expect(await doneOf(stream)).toMatchObject({ status: 'interrupted' });
  });

  it('needs a session id', async () => {
    const reply = await app.inject({ method: 'POST', url: '/messages/abort', headers: asha, payload: {} });
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('sessionId')]);
  });
});
