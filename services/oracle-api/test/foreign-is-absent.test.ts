import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gate, scriptedModel } from '../src/models/scripted-model.fixture.js';
import type { RecallStore } from '../src/plugins/memory/recall-store.js';

import {
  authOf,
  closeClients,
  didOf,
  listening,
  plainClient,
  type Service,
  socketIoClient,
} from '../src/sockets/sockets.fixture.js';
import {
  framesOf,
  type PublishedClient,
  publishedClient,
  type StreamedFrame,
  textOf,
} from './published-client.fixture.js';

const absentId = 'b2c7d0a4-0000-4000-8000-000000000000';
const absentCursor = Buffer.from(`t1.${absentId}`).toString('base64url');
const tools = [{ name: 'plot', description: '', schema: {} }];

/** Absent ids, or ids of Asha's data while one of her answers is running. */
interface Ids {
  readonly sessionId: string;
  readonly runId: string;
  readonly cursor: string;
  readonly memoryId: string;
}

const hold = gate();
let service: Service;
let asha: PublishedClient;
let baraka: PublishedClient;
let barakaToken: { invocation: string };
let hers: Ids;
let herStream: Promise<StreamedFrame[]>;

beforeAll(async () => {
  const { model } = scriptedModel(({ messages }) =>
    messages.length > 1 ? ['half', hold.opened, ' whole'] : ['first'],
  );
  service = await listening({ model });
  barakaToken = await authOf('b');
  asha = publishedClient(service.base, await authOf('a'));
  baraka = publishedClient(service.base, barakaToken);
  const sessionId = await asha.newSession();
  await asha.call('POST', `/messages/${sessionId}`, { message: 'private one', requestId: 'hers' });
  const reply = await asha.reply('POST', `/messages/${sessionId}`, { message: 'private two', stream: true, tools });
  herStream = framesOf(reply);
  const { prevCursor } = await asha.call<{ prevCursor: string }>('GET', `/sessions/${sessionId}/messages?limit=1`);
  const memory = { memoryId: 'm-1', kind: 'fact', content: 'private fact', createdAt: new Date() } as const;
  const memories = service.deps.plugins.active('memory')[0]?.boot.own as RecallStore | undefined;
  await memories?.add(didOf('a'), memory);
  hers = { sessionId, runId: reply.headers.get('x-run-id') ?? '', cursor: prevCursor, memoryId: memory.memoryId };
});
afterEach(() => closeClients());
afterAll(() => service.close());

const routes: [string, string, (ids: Ids) => string, ((ids: Ids) => unknown)?][] = [
  ['a send', 'POST', ({ sessionId }) => `/messages/${sessionId}`, () => ({ message: 'hi' })],
  ['a stream', 'POST', ({ sessionId }) => `/messages/${sessionId}`, () => ({ message: 'hi', stream: true, tools })],
  ['a used id', 'POST', ({ sessionId }) => `/messages/${sessionId}`, () => ({ message: 'hi', requestId: 'hers' })],
  ['a bad body', 'POST', ({ sessionId }) => `/messages/${sessionId}`, () => ({ message: '' })],
  ['the messages', 'GET', ({ sessionId }) => `/messages/${sessionId}`],
  ['a page', 'GET', ({ sessionId }) => `/sessions/${sessionId}/messages?limit=20`],
  ['a page before', 'GET', ({ sessionId, cursor }) => `/sessions/${sessionId}/messages?before=${cursor}`],
  ['a page after', 'GET', ({ sessionId, cursor }) => `/sessions/${sessionId}/messages?after=${cursor}`],
  ['what runs', 'GET', ({ sessionId }) => `/sessions/${sessionId}/run`],
  ['a run', 'GET', ({ runId }) => `/runs/${runId}`],
  ['the rest of a run', 'GET', ({ runId }) => `/runs/${runId}?after=1`],
  ['an abort', 'POST', () => '/messages/abort', ({ sessionId }) => ({ sessionId })],
  ['a change', 'PATCH', ({ sessionId }) => `/sessions/${sessionId}`, () => ({ title: 'Mine', archived: true })],
  ['a deletion', 'DELETE', ({ sessionId }) => `/sessions/${sessionId}`],
  ['feedback', 'GET', ({ sessionId }) => `/sessions/${sessionId}/feedback`],
  ['a thumb', 'PUT', ({ sessionId }) => `/sessions/${sessionId}/feedback/hers`, () => ({ rating: 'up' })],
  ['no thumb', 'DELETE', ({ sessionId }) => `/sessions/${sessionId}/feedback/hers`],
  ['a memory', 'DELETE', ({ memoryId }) => `/memories/${memoryId}`],
];

/** A reply without the parts that may differ: the time and the remaining rate limit. */
async function seen(method: string, path: string, body: unknown) {
  const reply = await baraka.reply(method, path, body, { 'x-request-id': 'same' });
  const headers = Object.fromEntries(reply.headers);
  for (const name of ['date', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) delete headers[name];
  return { status: reply.status, headers, body: await reply.text() };
}

describe('the session of another user', () => {
  it.each(routes)('is answered like a missing one: %s', async (_what, method, path, body) => {
    const absent: Ids = { sessionId: absentId, runId: absentId, cursor: absentCursor, memoryId: absentId };
    const foreign = await seen(method, path(hers), body?.(hers));
    expect(foreign).toEqual(await seen(method, path(absent), body?.(absent)));
    expect(foreign.headers['content-type']).toContain('application/json');
    expect(foreign.body).not.toContain('private');
  });

  it('is in no list of another user, nor is other data of its user', async () => {
    expect(await baraka.call('GET', '/sessions')).toEqual({ sessions: [], total: 0 });
    expect(await baraka.call('GET', '/memories')).toEqual({ memories: [], total: 0 });
    expect(await baraka.call('GET', '/user-preferences')).toBeNull();
    expect(await baraka.call('GET', '/delegation')).toEqual({ authorized: false });
  });

  it('refuses sockets of another user like a missing one', async () => {
    for (const auth of [barakaToken, { ...barakaToken, did: 'did:key:zAsha' }]) {
      const stock = [hers.sessionId, absentId].map((id) => socketIoClient(service.base, id, auth));
      const [foreign, absent] = await Promise.all(stock.map((client) => client.next('connect_error')));
      expect(foreign).toEqual(absent);
      const plain = [hers.sessionId, absentId].map((id) => plainClient(service.base, id, auth));
      const [foreignEnd, absentEnd] = await Promise.all(plain.map(({ closed }) => closed));
      expect(foreignEnd).toEqual(absentEnd);
      expect(plain[0]?.received).toEqual(plain[1]?.received);
      expect(stock[0]?.received.map(({ event }) => event)).toEqual(stock[1]?.received.map(({ event }) => event));
    }
  });

  it('is not reachable by any socket event in another session', async () => {
    const { sessionId } = hers;
    const [herTab, his] = [
      socketIoClient(service.base, sessionId, { invocation: asha.auth.authorization.slice('Bearer '.length) }),
      socketIoClient(service.base, await baraka.newSession(), barakaToken),
    ];
    await Promise.all([herTab.next('connected'), his.next('connected')]);
    for (const event of ['status', 'subscribe', 'list-events', 'tool_result', 'action_call_result', 'join', 'event']) {
      his.socket.emit(event, { sessionId, toolCallId: 'call-1', result: 'forged', room: sessionId });
    }
    his.socket.emit('ping');
    await his.next('pong');
    expect(JSON.stringify(his.received)).not.toContain(sessionId);
    expect(herTab.received.map(({ event }) => event)).toEqual(['connected']);
  });

  it('is unchanged after all these requests', async () => {
    hold.open();
    const frames = await herStream;
    expect(textOf(frames)).toBe('half whole');
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { status: 'finished' } });
    const { messages } = await asha.call<{ messages: { content: string }[] }>('GET', `/messages/${hers.sessionId}`);
    expect(messages.map(({ content }) => content)).toEqual(['private one', 'first', 'private two', 'half whole']);
    expect(await asha.call('GET', '/memories')).toMatchObject({ total: 1 });
  });
});
