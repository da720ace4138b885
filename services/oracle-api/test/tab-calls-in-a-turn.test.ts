import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  authOf,
  closeClients,
  listening,
  plainClient,
  type Service,
  socketIoClient,
} from '../src/sockets/sockets.fixture.js';
import { type PublishedClient, publishedClient, type StreamedFrame } from './published-client.fixture.js';

const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
const tools = [{ name: 'plot', description: 'Draws', schema }];
const agActions = [{ name: 'pay', description: 'Pays', schema, hasRender: true }];

let service: Service;
let asha: { invocation: string };
let client: PublishedClient;
beforeAll(async () => {
  service = await listening({ limits: { toolTimeoutMs: 700 } });
  asha = await authOf('a');
  client = publishedClient(service.base, asha);
});
afterEach(() => closeClients());
afterAll(() => service.close());

async function tab(sessionId: string, auth = asha) {
  const opened = socketIoClient(service.base, sessionId, auth);
  await opened.next('connected');
  return opened;
}

const eventsOf = (frames: readonly StreamedFrame[], event: string) =>
  frames.filter((frame) => frame.event === event).map(({ data }) => data);

const answerIn = (frames: readonly StreamedFrame[]) =>
  frames.map(({ data, event }) => (event === 'message' ? data['content'] : '')).join('');

describe('a turn with a call of a browser tool', () => {
  it('calls one of two tabs, returns the result to the model, and stores call and result with the answer', async () => {
    const sessionId = await client.newSession();
    // The tab that declares the tools has the token of its message; the other one is more recent.
    const answering = await tab(sessionId);
    const other = await tab(sessionId, await authOf('a'));
    answering.socket.on('browser_tool_call', ({ toolCallId, args }: { toolCallId: string; args: { x: number } }) => {
      answering.socket.emit('tool_result', { toolCallId, result: { drawn: args.x + 1 } });
    });
    const frames = await client.stream(sessionId, { message: 'Use the tool plot with {"x": 41}', tools });
    const { requestId } = frames[0]?.data ?? {};
    const place = { sessionId, requestId };
    const call = await answering.next('browser_tool_call');
    expect(call).toEqual({ ...place, toolCallId: expect.any(String), toolName: 'plot', args: { x: 41 } });
    const fields = { ...place, toolName: 'plot', args: { x: 41 }, eventId: expect.any(String) };
    expect(eventsOf(frames, 'tool_call')).toEqual([
      { ...fields, status: 'isRunning' },
      { ...fields, status: 'done', output: '{"drawn":42}' },
    ]);
    expect(answerIn(frames)).toContain('{"drawn":42}');
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { status: 'finished' } });
    await other.next('message_cache_invalidation');
    expect(other.received.map(({ event }) => event)).not.toContain('browser_tool_call');
    const received = other.received.filter(({ event }) => event === 'tool_call').map(({ data }) => data);
    expect(received).toEqual(eventsOf(frames, 'tool_call'));
    const wrapped = other.received.filter(({ data }) => data['eventName'] === 'tool_call');
    expect(wrapped.map(({ event, data }) => [event, data['payload']])).toEqual(received.map((data) => ['event', data]));
    const { messages } = await client.call<{ messages: object[] }>('GET', `/messages/${sessionId}`);
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({
      id: requestId,
      type: 'ai',
      toolCalls: [{ name: 'plot', args: { x: 41 }, status: 'done', output: '{"drawn":42}' }],
    });
  });

  it('refuses a result of another tab, user or session, or for an unknown call', async () => {
    const sessionId = await client.newSession();
    const answering = await tab(sessionId);
    const other = await tab(sessionId, await authOf('a'));
    const baraka = await authOf('b');
    const stranger = await tab(await publishedClient(service.base, baraka).newSession(), baraka);
    answering.socket.on('browser_tool_call', ({ toolCallId }: { toolCallId: string }) => {
      for (const { socket } of [other, stranger]) {
        socket.emit('tool_result', { toolCallId, result: 'forged', sessionId });
      }
      answering.socket.emit('tool_result', { toolCallId: `${toolCallId}x`, result: 'forged' });
      answering.socket.emit('tool_result', { toolCallId, result: 'forged', sessionId: 'another' });
      answering.socket.emit('action_call_result', { toolCallId, result: 'forged', sessionId });
      setTimeout(() => answering.socket.emit('tool_result', { toolCallId, result: 'honest' }), 100);
      setTimeout(() => answering.socket.emit('tool_result', { toolCallId, result: 'forged' }), 110);
    });
    const frames = await client.stream(sessionId, { message: 'Use the tool plot', tools });
    expect(answerIn(frames)).toContain('honest');
    expect(JSON.stringify(frames)).not.toContain('forged');
  });

  it('reports a timeout to the model, and ignores the late result', async () => {
    const sessionId = await client.newSession();
    const answering = await tab(sessionId);
    const frames = await client.stream(sessionId, { message: 'Use the tool plot', tools });
    const { toolCallId } = await answering.next('browser_tool_call');
    answering.socket.emit('tool_result', { toolCallId, result: 'late' });
    answering.socket.emit('ping');
    await answering.next('pong');
    expect(answerIn(frames)).toContain('did not reply within');
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { status: 'finished' } });
    expect(JSON.stringify(await client.call('GET', `/messages/${sessionId}`))).not.toContain('late');
  });

  it('reports at once to the model that no tab is connected', async () => {
    const sessionId = await client.newSession();
    const frames = await client.stream(sessionId, { message: 'Use the tool plot', tools });
    expect(answerIn(frames)).toContain('no browser tab');
    expect(eventsOf(frames, 'tool_call').map(({ status }) => status)).toEqual(['isRunning', 'done']);
  });

  it('works over a plain WebSocket, and reports a failure of the tab', async () => {
    const sessionId = await client.newSession();
    const answering = plainClient(service.base, sessionId, asha);
    await answering.next('connected');
    answering.socket.addEventListener('message', ({ data }) => {
      const { event, data: call } = JSON.parse(String(data)) as { event: string; data: { toolCallId: string } };
      if (event === 'browser_tool_call')
        answering.send('tool_result', { toolCallId: call.toolCallId, error: 'no canvas' });
    });
    const frames = await client.stream(sessionId, { message: 'Use the tool plot', tools });
    expect(answerIn(frames)).toContain('no canvas');
  });
});

describe('a turn with a call of an action', () => {
  it.each([
    [{ success: true, receipt: 'r-7' }, 'done', 'r-7'],
    [{ success: false, message: 'card refused' }, 'error', 'card refused'],
  ])('accepts the result %j as %s', async (result, status, output) => {
    const sessionId = await client.newSession();
    const answering = await tab(sessionId);
    answering.socket.on('action_call', ({ toolCallId, status: state }: { toolCallId: string; status: string }) => {
      if (state === 'isRunning') answering.socket.emit('action_call_result', { sessionId, toolCallId, result });
    });
    const frames = await client.stream(sessionId, { message: 'Use the action pay with {"kes": 5}', agActions });
    const { requestId } = frames[0]?.data ?? {};
    const calls = eventsOf(frames, 'action_call');
    const fields = { sessionId, requestId, toolCallId: expect.any(String), toolName: 'pay', args: { kes: 5 } };
    expect(calls).toHaveLength(2);
    expect(calls[0]).toEqual({ ...fields, status: 'isRunning' });
    expect(calls[1]).toMatchObject({ ...fields, status });
    expect(answerIn(frames)).toContain(output);
    expect(await answering.next('action_call')).toEqual({ ...fields, status: 'isRunning' });
  });
});

describe('socket events of a turn', () => {
  it('include message_cache_invalidation only after the answer can be read', async () => {
    const sessionId = await client.newSession();
    const watching = await tab(sessionId);
    const listed: unknown[] = [];
    const read = async () => {
      listed.push(await client.call('GET', `/messages/${sessionId}`));
    };
    watching.socket.on('message_cache_invalidation', () => void read());
    await client.stream(sessionId, { message: 'Hello' });
    await vi.waitFor(() => expect(listed).toHaveLength(1));
    expect(listed[0]).toMatchObject({ messages: [{ type: 'human' }, { type: 'ai' }] });
    expect(watching.received.find(({ event }) => event === 'event')?.data).toMatchObject({
      eventName: 'message_cache_invalidation',
      payload: { sessionId: '', status: 'done' },
    });
  });
});
