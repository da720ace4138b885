import { describe, expect, it, vi } from 'vitest';
import { asha, callTab, service, sessionId, tab, useCalledTabs } from './called-tabs.fixture.js';
import type { Member } from './member.js';
import { actionCall, authOf, browserCall, didOf, plainClient, sessionOf, socketIoClient } from './sockets.fixture.js';

useCalledTabs();

describe('an answer to a tab call', () => {
  it('is accepted from the called tab only: not from another tab or another user', async () => {
    const other = await tab();
    const asked = await tab();
    const baraka = await authOf('b');
    const theirs = socketIoClient(service.base, await sessionOf(service, baraka), baraka);
    await theirs.next('connected');
    const answer = callTab(browserCall());
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
    'of %s is refused from another socket of the same user, token and session',
    async (_, call, event, reply) => {
      const plainTwin = plainClient(service.base, sessionId, asha);
      await plainTwin.next('connected');
      const twin = await tab();
      const asked = await tab();
      const answer = callTab(call());
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

  it('is refused from every socket after the called one has disconnected', async () => {
    const asked = await tab();
    const answer = callTab(browserCall());
    await asked.next('browser_tool_call');
    asked.socket.disconnect();
    const later = await tab();
    later.socket.emit('tool_result', { toolCallId: 'call-1', result: 'forged' });
    expect(await answer).toEqual({ ok: false, error: expect.stringContaining('gave no answer') });
  });

  it('is refused if it arrives late over a replaced connection', async () => {
    const { realtime } = service.deps;
    const right = { expiresAtMs: Date.now() + 60_000, path: [] };
    const member = () => ({
      id: 'm',
      did: didOf('a'),
      sessionId,
      address: 'a',
      credentials: [],
      joinedAtMs: Date.now(),
      right,
      send: vi.fn<Member['send']>(),
      close: vi.fn<Member['close']>(),
    });
    const [old, back] = [member(), member()];
    const before = realtime.join(old);
    const answer = callTab(browserCall());
    await vi.waitFor(() => expect(old.send).toHaveBeenCalledTimes(2));
    const after = realtime.join(back);
    expect(old.close).toHaveBeenCalledWith('replaced');
    before.receive('tool_result', { toolCallId: 'call-1', result: 'late' });
    after.receive('tool_result', { toolCallId: 'call-1', result: 'there' });
    expect(await answer).toEqual({ ok: true, result: 'there' });
    before.leave();
    after.leave();
  });

  it('is accepted once: a second one is ignored', async () => {
    const client = await tab();
    const answer = callTab(browserCall());
    await client.next('browser_tool_call');
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: 1 });
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: 2 });
    expect(await answer).toEqual({ ok: true, result: 1 });
    const again = callTab(browserCall());
    await vi.waitFor(() =>
      expect(client.received.filter(({ event }) => event === 'browser_tool_call')).toHaveLength(2),
    );
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: 3 });
    expect(await again).toEqual({ ok: true, result: 3 });
  });
});
