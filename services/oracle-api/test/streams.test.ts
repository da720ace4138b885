import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, scriptedModel } from '../src/models/scripted-model.fixture.js';
import { authOf, listening, type Service } from '../src/sockets/sockets.fixture.js';
import { framesOf, type PublishedClient, publishedClient, readAlong, textOf } from './published-client.fixture.js';

let service: Service;
let client: PublishedClient;
let hold = gate();
beforeAll(async () => {
  const { model } = scriptedModel(({ messages }) => {
    const text = messages.at(-1)?.content;
    if (text === 'wait') return ['one ', hold.opened, 'two'];
    if (text === 'break') return ['half', new Error('POST https://key:sk-secret@model.example failed')];
    return ['Line one\nline two\r\n', 'data: tricky\n\n', '¡olé! 👋\u2028end'];
  });
  service = await listening({ model, streaming: { heartbeatMs: 60, stalledAfterMs: 60_000 } });
  client = publishedClient(service.base, await authOf('a'));
});
afterAll(async () => {
  hold.open();
  await service.close();
});

const start = async (sessionId: string, message: string) => {
  const reply = await client.reply('POST', `/messages/${sessionId}`, { message, stream: true });
  return { reply, runId: String(reply.headers.get('x-run-id')) };
};
const runOf = async (sessionId: string) =>
  (await client.call<{ run: object }>('GET', `/sessions/${sessionId}/run`)).run;
describe('the stream of an answer', () => {
  it('has headers against buffering in proxies, and names request and run', async () => {
    const { reply } = await start(await client.newSession(), 'hello');
    const headers = Object.fromEntries(reply.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
      'x-run-id': expect.any(String),
      'x-run-status': 'running',
    });
    await reply.text();
  });

  it('consists of frames with a growing id, an event and one line of JSON, for any text', async () => {
    const { reply } = await start(await client.newSession(), 'hello');
    const reading = readAlong(reply);
    const frames = await reading.whole;
    const text = reading.text();
    const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
    for (const block of blocks) expect(block).toMatch(/^id: \d+\nevent: [a-z_]+\ndata: \{[^\r\n]*\}$/);
    const ids = frames.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, two) => one - two));
    expect(new Set(ids).size).toBe(ids.length);
    expect(textOf(frames)).toBe('Line one\nline two\r\ndata: tricky\n\n¡olé! 👋\u2028end');
    expect([frames[0]?.event, frames.at(-1)?.event]).toEqual(['run', 'done']);
  });

  it('has heartbeats between frames during a silence', async () => {
    hold = gate();
    const { reply } = await start(await client.newSession(), 'wait');
    const reading = readAlong(reply);
    await reading.until('\n\n: heartbeat\n\n');
    hold.open();
    expect(textOf(await reading.whole)).toBe('one two');
  });

  it('ends with done after an error, without internal details', async () => {
    const sessionId = await client.newSession();
    const { reply } = await start(sessionId, 'break');
    const frames = await framesOf(reply);
    const [error, done] = frames.slice(-2);
    expect(frames.filter(({ event }) => event === 'error')).toHaveLength(1);
    expect([error?.event, done?.event]).toEqual(['error', 'done']);
    expect(done?.data).toMatchObject({ status: 'failed', failed: true, partialText: 'half' });
    expect(JSON.stringify(frames)).not.toMatch(/secret|model\.example/);
    expect(await runOf(sessionId)).toMatchObject({ status: 'failed' });
  });

  it('continues after a cut at GET /runs/:id?after=N, with no character lost or repeated', async () => {
    hold = gate();
    const sessionId = await client.newSession();
    const { reply, runId } = await start(sessionId, 'wait');
    let seen = '';
    for await (const chunk of reply.body ?? []) {
      seen += Buffer.from(chunk as Uint8Array).toString();
      if (seen.includes('one ')) break;
    }
    const last = Number(
      seen
        .match(/id: (\d+)/g)
        ?.at(-1)
        ?.slice(4),
    );
    expect(await runOf(sessionId)).toMatchObject({ runId, status: 'running', requestId: expect.any(String) });
    const rest = client.reply('GET', `/runs/${runId}?after=${last}`);
    hold.open();
    const frames = await framesOf(await rest);
    expect(frames[0]).toMatchObject({ id: last, event: 'run', data: { runId, resumed: true, partialLength: 4 } });
    expect(textOf(frames)).toBe('two');
    expect(await runOf(sessionId)).toMatchObject({ runId, status: 'finished' });
    expect(textOf(await framesOf(await client.reply('GET', `/runs/${runId}`)))).toBe('one two');
  });
});

describe('POST /messages/abort', () => {
  it('stops the run once, and the stream reports it with the partial text', async () => {
    hold = gate();
    const sessionId = await client.newSession();
    const { reply } = await start(sessionId, 'wait');
    const { whole, until } = readAlong(reply);
    await until('one ');
    const abort = () => client.call('POST', '/messages/abort', { sessionId });
    expect(await abort()).toEqual({ success: true });
    expect((await whole).at(-1)).toMatchObject({
      event: 'done',
      data: { status: 'aborted', aborted: true, partialText: 'one ' },
    });
    expect(await abort()).toEqual({ success: false });
    expect(await client.call('GET', `/messages/${sessionId}`)).toMatchObject({
      messages: [{ content: 'wait' }, { content: 'one ' }],
    });
    expect(await runOf(sessionId)).toMatchObject({ status: 'aborted' });
  });

  it('stops nothing in an idle or unknown session', async () => {
    for (const sessionId of [await client.newSession(), 'absent']) {
      expect(await client.call('POST', '/messages/abort', { sessionId })).toEqual({ success: false });
    }
  });
});

describe('a second message in a session', () => {
  it('interrupts the first, and its stream reports this and ends', async () => {
    hold = gate();
    const sessionId = await client.newSession();
    const { reply } = await start(sessionId, 'wait');
    const { whole, until } = readAlong(reply);
    await until('one ');
    expect(textOf(await client.stream(sessionId, { message: 'hello' }))).toContain('olé');
    const frames = await whole;
    expect(frames.at(-1)?.data).toMatchObject({ status: 'interrupted', interrupted: true, partialText: 'one ' });
  });
});
