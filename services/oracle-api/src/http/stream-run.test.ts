import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { Agent, fetch } from 'undici';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { headersOf, newSession, type TestOptions, testApp } from '../../test/app.fixture.js';
import type { Deps } from '../deps.js';
import { localModel } from '../models/local/local-model.js';
import { gate, scriptedModel } from '../models/scripted-model.fixture.js';
import { parseSse } from '../runs/log/parse-sse.fixture.js';

let asha: Record<string, string>;
beforeAll(async () => {
  asha = await headersOf('a');
});

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The app on a real socket, with a session. */
async function listening(options: TestOptions): Promise<{ app: HttpApp; deps: Deps; base: string; sessionId: string }> {
  const { app, deps } = await testApp(options);
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => app.close());
  return { app, deps, base, sessionId: await newSession(app, asha) };
}

function send(base: string, sessionId: string, message: string, signal?: AbortSignal) {
  const dispatcher = new Agent({ pipelining: 0 });
  closers.push(() => dispatcher.destroy());
  return fetch(`${base}/messages/${sessionId}`, {
    method: 'POST',
    headers: { ...asha, 'content-type': 'application/json' },
    body: JSON.stringify({ message, stream: true }),
    dispatcher,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** More bytes than the buffers of a socket hold. */
const manyPieces = Array.from({ length: 150_000 }, () => 'x');

/** Sends a request over a raw socket and reads nothing until a listener is added. */
async function rawSend(base: string, sessionId: string): Promise<Socket> {
  const { port, hostname } = new URL(base);
  const socket = connect(Number(port), hostname);
  closers.unshift(async () => socket.destroy());
  await once(socket, 'connect');
  const body = JSON.stringify({ message: 'hi', stream: true });
  const headers = {
    ...asha,
    host: hostname,
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /messages/${sessionId} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

const contents = async (app: HttpApp, sessionId: string): Promise<string[]> =>
  (await app.inject({ url: `/messages/${sessionId}`, headers: asha }))
    .json()
    .messages.map(({ content }: { content: string }) => content);

describe('a stream over a socket', () => {
  it('sends the first delta while the model is still generating', async () => {
    const { opened, open } = gate();
    const { base, sessionId } = await listening({ model: scriptedModel(['Hello ', opened, 'world']).model });
    const reply = await send(base, sessionId, 'hi');
    let text = '';
    for await (const chunk of reply.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('Hello ')) open();
    }
    const events = parseSse(text);
    expect(events.map(({ event }) => event)).toEqual(['run', 'message', 'message', 'done']);
  });

  it('has exactly the text of the stored answer', async () => {
    const { app, base, sessionId } = await listening({ model: localModel({ paceMs: 1 }) });
    const reply = await send(base, sessionId, 'count to 200');
    const deltas = parseSse(await reply.text()).filter(({ event }) => event === 'message');
    expect(deltas.length).toBe(200);
    const text = deltas.map(({ data }) => JSON.parse(data).content).join('');
    expect(await contents(app, sessionId)).toEqual(['count to 200', text]);
  });

  it('may be closed by the client, and the answer is stored', async () => {
    const { opened, open } = gate();
    const { app, deps, base, sessionId } = await listening({
      model: scriptedModel(['first ', opened, 'second']).model,
    });
    const leave = new AbortController();
    const reply = await send(base, sessionId, 'hi', leave.signal);
    for await (const chunk of reply.body ?? []) if (Buffer.from(chunk).toString().includes('first')) break;
    leave.abort();
    await vi.waitFor(() => expect(deps.streams.size).toBe(0));
    expect(await contents(app, sessionId)).toEqual(['hi']);
    open();
    await vi.waitFor(async () => expect(await contents(app, sessionId)).toEqual(['hi', 'first second']));
  });

  it('waits for a reader that stalls, blocks no other reader, and then sends every character', async () => {
    const { app, deps, base, sessionId } = await listening({ model: scriptedModel(manyPieces).model });
    const socket = await rawSend(base, sessionId);
    await vi.waitFor(async () => expect((await contents(app, sessionId))[1]).toHaveLength(150_000), 10_000);
    expect(deps.streams.size).toBe(1);
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    await vi.waitFor(() => expect(text.includes('event: done')).toBe(true), 10_000);
    expect(text.match(/^event: message$/gm)).toHaveLength(150_000);
  });

  it('is cut if the reader stalls for too long', async () => {
    const { app, deps, base, sessionId } = await listening({
      model: scriptedModel(manyPieces).model,
      streaming: { heartbeatMs: 10, stalledAfterMs: 50 },
    });
    await rawSend(base, sessionId);
    await vi.waitFor(async () => expect(await contents(app, sessionId)).toHaveLength(2), 10_000);
    await vi.waitFor(() => expect(deps.streams.size).toBe(0), 10_000);
  });

  it('stays open through a long silence, with heartbeats', async () => {
    const { opened, open } = gate();
    const { base, sessionId } = await listening({
      model: scriptedModel([opened, 'late']).model,
      streaming: { heartbeatMs: 10, stalledAfterMs: 100 },
    });
    const reply = await send(base, sessionId, 'hi');
    let text = '';
    for await (const chunk of reply.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.split(': heartbeat').length > 30) open();
    }
    expect(parseSse(text).map(({ event }) => event)).toEqual(['run', 'message', 'done']);
  });

  it('ends with done at a shutdown, and the partial text is stored', async () => {
    const { app, base, sessionId } = await listening({ model: scriptedModel(['part', gate().opened]).model });
    const reply = await send(base, sessionId, 'hi');
    let text = '';
    let closing: Promise<unknown> | undefined;
    for await (const chunk of reply.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('part')) closing ??= app.close();
    }
    await closing;
    const events = parseSse(text);
    expect(events.map(({ event }) => event)).toEqual(['run', 'message', 'error', 'done']);
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({
      status: 'interrupted',
      interrupted: true,
      partialText: 'part',
    });
  });
});
