import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FrontendAnswer, FrontendCall } from '../../chat/frontend-calls.js';
import { credentialsOf } from '../../realtime/credentials.js';
import type { Member } from '../../realtime/member.js';
import {
  actionCall,
  authOf,
  browserCall,
  closeClients,
  didOf,
  listening,
  plainClient,
  type Service,
  type SocketAuth,
  sessionOf,
  socketIoClient,
} from './sockets.fixture.js';

let service: Service;
let asha: SocketAuth;
let sessionId: string;
beforeAll(async () => {
  service = await listening({});
  asha = await authOf('a');
  sessionId = await sessionOf(service, asha);
});
afterEach(async () => {
  closeClients();
  await vi.waitFor(() => expect(service.deps.realtime.seats.taken).toBe(0));
});
afterAll(() => service.close());

const place = () => ({ runId: 'run', ownerDid: didOf('a'), sessionId, requestId: 'r1' });

function ask(call: FrontendCall, signal = new AbortController().signal): Promise<FrontendAnswer> {
  return service.deps.realtime.calls.call(place(), call, signal);
}

async function tab(auth: SocketAuth = asha) {
  const client = socketIoClient(service.base, sessionId, auth);
  await client.next('connected');
  return client;
}

describe('a call into the tab', () => {
  it('reaches the tab with its exact fields, and its result comes back', async () => {
    const client = await tab();
    const answer = ask(browserCall());
    expect(await client.next('browser_tool_call')).toEqual({
      sessionId,
      requestId: 'r1',
      toolCallId: 'call-1',
      toolName: 'read_page',
      args: { part: 'title' },
    });
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: { title: 'Home' } });
    expect(await answer).toEqual({ ok: true, result: { title: 'Home' } });
    expect(client.received.map(({ event }) => event)).toEqual(['connected', 'browser_tool_call']);
  });

  it('of an action is told as running, and success: false is a failure the model can explain', async () => {
    const client = await tab();
    const answer = ask(actionCall());
    expect(await client.next('action_call')).toEqual({
      sessionId,
      requestId: 'r1',
      toolCallId: 'call-1',
      toolName: 'show_map',
      args: { place: 'Mombasa' },
      status: 'isRunning',
    });
    const result = { success: false, error: 'no such place' };
    client.socket.emit('action_call_result', { sessionId, toolCallId: 'call-1', result });
    const error = expect.stringMatching(/action "show_map" failed .*: no such place$/);
    expect(await answer).toEqual({ ok: false, error });
  });

  it('works over a plain WebSocket', async () => {
    const client = plainClient(service.base, sessionId, asha);
    await client.next('connected');
    const answer = ask(actionCall());
    const { toolCallId } = await client.next('action_call');
    client.send('action_call_result', { sessionId, toolCallId, result: { success: true } });
    expect(await answer).toEqual({ ok: true, result: { success: true } });
  });

  it('that fails in the browser is an error with the reason', async () => {
    const client = await tab();
    const answer = ask(browserCall());
    await client.next('browser_tool_call');
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: null, error: 'denied by the user' });
    expect(await answer).toEqual({ ok: false, error: expect.stringContaining('denied by the user') });
  });

  it('runs in one of two tabs: the most recent', async () => {
    const first = await tab();
    const second = await tab();
    const answer = ask(browserCall());
    await second.next('browser_tool_call');
    second.socket.emit('tool_result', { toolCallId: 'call-1', result: 'second' });
    expect(await answer).toEqual({ ok: true, result: 'second' });
    expect(first.received.map(({ event }) => event)).toEqual(['connected']);
  });

  it('runs in the tab that declared the tools, also when another one is more recent', async () => {
    const ownToken = await authOf('a');
    const declaring = await tab(ownToken);
    const later = await tab();
    service.deps.realtime.calls.declareTools(place(), credentialsOf(ownToken.invocation));
    const answer = ask(browserCall());
    await declaring.next('browser_tool_call');
    declaring.socket.emit('tool_result', { toolCallId: 'call-1', result: 1 });
    expect(await answer).toEqual({ ok: true, result: 1 });
    expect(later.received.map(({ event }) => event)).toEqual(['connected']);
  });

  it('runs in the tab that sent the message with tools', async () => {
    const ownToken = await authOf('a');
    const declaring = await tab(ownToken);
    await tab();
    const headers = { authorization: `Bearer ${ownToken.invocation}`, 'x-auth-type': 'ucan' };
    const tools = [{ name: 'read_page', description: '', schema: {} }];
    const payload = { message: 'hello', tools };
    await service.app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
    const answer = ask(browserCall());
    await declaring.next('browser_tool_call');
    declaring.socket.emit('tool_result', { toolCallId: 'call-1', result: 1 });
    expect(await answer).toEqual({ ok: true, result: 1 });
  });

  it('is answered by the tab that was asked only: not by another tab, nor by another user', async () => {
    const other = await tab();
    const asked = await tab();
    const baraka = await authOf('b');
    const theirs = socketIoClient(service.base, await sessionOf(service, baraka), baraka);
    await theirs.next('connected');
    const answer = ask(browserCall());
    await asked.next('browser_tool_call');
    const forged = { toolCallId: 'call-1', result: 'forged' };
    other.socket.emit('tool_result', forged);
    theirs.socket.emit('tool_result', { ...forged, sessionId });
    asked.socket.emit('action_call_result', { ...forged, sessionId });
    asked.socket.emit('tool_result', { ...forged, sessionId: 'another-session' });
    asked.socket.emit('tool_result', { ...forged, toolCallId: 'call-2' });
    for (const client of [other, theirs, asked]) {
      client.socket.emit('ping');
      await client.next('pong');
    }
    asked.socket.emit('tool_result', { toolCallId: 'call-1', result: 'honest' });
    expect(await answer).toEqual({ ok: true, result: 'honest' });
    expect(theirs.received.map(({ event }) => event)).toEqual(['connected', 'pong']);
  });

  it.each([
    ['a browser tool', browserCall, 'browser_tool_call', 'tool_result'],
    ['an action', actionCall, 'action_call', 'action_call_result'],
  ] as const)(
    'of %s is answered by no other socket of the same user, token and session',
    async (_, call, event, reply) => {
      const plainTwin = plainClient(service.base, sessionId, asha);
      await plainTwin.next('connected');
      const twin = await tab();
      const asked = await tab();
      const answer = ask(call());
      await asked.next(event);
      const later = await tab();
      const forged = { sessionId, toolCallId: 'call-1', result: 'forged' };
      plainTwin.send(reply, forged);
      plainTwin.send('ping');
      await plainTwin.next('pong');
      for (const client of [twin, later]) {
        client.socket.emit(reply, forged);
        client.socket.emit('ping');
        await client.next('pong');
      }
      asked.socket.emit(reply, { ...forged, result: 'honest' });
      expect(await answer).toEqual({ ok: true, result: 'honest' });
    },
  );

  it('is answered by nobody once the socket that was asked has left', async () => {
    const asked = await tab();
    const answer = ask(browserCall());
    await asked.next('browser_tool_call');
    asked.socket.disconnect();
    const later = await tab();
    later.socket.emit('tool_result', { toolCallId: 'call-1', result: 'forged' });
    expect(await answer).toEqual({ ok: false, error: expect.stringContaining('gave no answer') });
  });

  it('is not answered by what comes late over a connection in whose place another one is', async () => {
    const { realtime } = service.deps;
    const right = { expiresAtMs: Date.now() + 60_000, path: [] };
    const member = () => ({
      ...{ id: 'm', did: didOf('a'), sessionId, credentials: [], joinedAtMs: Date.now(), right },
      send: vi.fn<Member['send']>(),
      close: vi.fn<Member['close']>(),
    });
    const [old, back] = [member(), member()];
    const before = realtime.join(old);
    const answer = ask(browserCall());
    await vi.waitFor(() => expect(old.send).toHaveBeenCalledTimes(2));
    const after = realtime.join(back);
    expect(old.close).toHaveBeenCalledWith('replaced');
    before.receive('tool_result', { toolCallId: 'call-1', result: 'late' });
    after.receive('tool_result', { toolCallId: 'call-1', result: 'there' });
    expect(await answer).toEqual({ ok: true, result: 'there' });
    before.leave();
    after.leave();
  });

  it('is answered once: a second result is passed over', async () => {
    const client = await tab();
    const answer = ask(browserCall());
    await client.next('browser_tool_call');
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: 1 });
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: 2 });
    expect(await answer).toEqual({ ok: true, result: 1 });
    const again = ask(browserCall());
    await vi.waitFor(() =>
      expect(client.received.filter(({ event }) => event === 'browser_tool_call')).toHaveLength(2),
    );
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: 3 });
    expect(await again).toEqual({ ok: true, result: 3 });
  });

  it('without an answer in time is an error, and the late answer is passed over', async () => {
    const client = await tab();
    expect(await ask(browserCall())).toEqual({ ok: false, error: expect.stringContaining('within 1 seconds') });
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: 'late' });
    client.socket.emit('ping');
    await client.next('pong');
    const next = ask(browserCall('call-2'));
    await vi.waitFor(() =>
      expect(client.received.filter(({ event }) => event === 'browser_tool_call')).toHaveLength(2),
    );
    client.socket.emit('tool_result', { toolCallId: 'call-2', result: 'in time' });
    expect(await next).toEqual({ ok: true, result: 'in time' });
  });

  it('without any tab is an error at once', async () => {
    expect(await ask(browserCall())).toEqual({ ok: false, error: expect.stringContaining('no browser tab') });
  });

  it('ends with its turn', async () => {
    const client = await tab();
    const turn = new AbortController();
    const answer = ask(browserCall(), turn.signal);
    await client.next('browser_tool_call');
    turn.abort();
    expect(await answer).toEqual({ ok: false, error: expect.stringContaining('cancelled') });
    expect(await ask(browserCall(), turn.signal)).toMatchObject({ ok: false });
  });

  it('of several at once goes each to its own answer', async () => {
    const client = await tab();
    const answers = ['a', 'b', 'c'].map((id) => ask(browserCall(id)));
    const repeated = ask(browserCall('a'));
    await vi.waitFor(() =>
      expect(client.received.filter(({ event }) => event === 'browser_tool_call')).toHaveLength(3),
    );
    for (const id of ['c', 'a', 'b']) client.socket.emit('tool_result', { toolCallId: id, result: id });
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c'].map((result) => ({ ok: true, result })));
    expect(await repeated).toEqual({ ok: false, error: expect.stringContaining('in use') });
  });
});
