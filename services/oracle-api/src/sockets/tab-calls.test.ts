import { describe, expect, it, vi } from 'vitest';
import { asha, callTab, place, service, sessionId, tab, useCalledTabs } from './called-tabs.fixture.js';
import { credentialsOf } from './member.js';
import { actionCall, authOf, browserCall, plainClient } from './sockets.fixture.js';

useCalledTabs();

describe('a tab call', () => {
  it('reaches the tab with its exact fields and returns its result', async () => {
    const client = await tab();
    const answer = callTab(browserCall());
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

  it('of an action is reported as running, and success: false is a failure with a reason for the model', async () => {
    const client = await tab();
    const answer = callTab(actionCall());
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
    const answer = callTab(actionCall());
    const { toolCallId } = await client.next('action_call');
    client.send('action_call_result', { sessionId, toolCallId, result: { success: true } });
    expect(await answer).toEqual({ ok: true, result: { success: true } });
  });

  it('that fails in the browser is an error with the reason', async () => {
    const client = await tab();
    const answer = callTab(browserCall());
    await client.next('browser_tool_call');
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: null, error: 'denied by the user' });
    expect(await answer).toEqual({ ok: false, error: expect.stringContaining('denied by the user') });
  });

  it('goes to the most recent of two tabs', async () => {
    const first = await tab();
    const second = await tab();
    const answer = callTab(browserCall());
    await second.next('browser_tool_call');
    second.socket.emit('tool_result', { toolCallId: 'call-1', result: 'second' });
    expect(await answer).toEqual({ ok: true, result: 'second' });
    expect(first.received.map(({ event }) => event)).toEqual(['connected']);
  });

  it('goes to the tab that declared the tools, also if another one is more recent', async () => {
    const ownToken = await authOf('a');
    const declaring = await tab(ownToken);
    const later = await tab();
    service.deps.realtime.calls.declareTools(place(), credentialsOf(ownToken.invocation));
    const answer = callTab(browserCall());
    await declaring.next('browser_tool_call');
    declaring.socket.emit('tool_result', { toolCallId: 'call-1', result: 1 });
    expect(await answer).toEqual({ ok: true, result: 1 });
    expect(later.received.map(({ event }) => event)).toEqual(['connected']);
  });

  it('goes to the tab that has presented the token of the message since it was opened', async () => {
    const declaring = await tab();
    const later = await tab();
    const fresh = await authOf('a');
    declaring.socket.emit('auth', fresh);
    await declaring.next('authenticated');
    service.deps.realtime.calls.declareTools(place(), credentialsOf(fresh.invocation));
    const answer = callTab(browserCall());
    await declaring.next('browser_tool_call');
    declaring.socket.emit('tool_result', { toolCallId: 'call-1', result: 1 });
    expect(await answer).toEqual({ ok: true, result: 1 });
    expect(later.received.map(({ event }) => event)).toEqual(['connected']);
  });

  it('goes to the tab that sent the message with tools', async () => {
    const ownToken = await authOf('a');
    const declaring = await tab(ownToken);
    await tab();
    const headers = { authorization: `Bearer ${ownToken.invocation}`, 'x-auth-type': 'ucan' };
    const tools = [{ name: 'read_page', description: '', schema: {} }];
    const payload = { message: 'hello', tools };
    await service.app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
    const answer = callTab(browserCall());
    await declaring.next('browser_tool_call');
    declaring.socket.emit('tool_result', { toolCallId: 'call-1', result: 1 });
    expect(await answer).toEqual({ ok: true, result: 1 });
  });

  it('without an answer in time is an error, and the late answer is ignored', async () => {
    const client = await tab();
    expect(await callTab(browserCall())).toEqual({ ok: false, error: expect.stringContaining('within 1 seconds') });
    client.socket.emit('tool_result', { toolCallId: 'call-1', result: 'late' });
    client.socket.emit('ping');
    await client.next('pong');
    const next = callTab(browserCall('call-2'));
    await vi.waitFor(() =>
      expect(client.received.filter(({ event }) => event === 'browser_tool_call')).toHaveLength(2),
    );
    client.socket.emit('tool_result', { toolCallId: 'call-2', result: 'in time' });
    expect(await next).toEqual({ ok: true, result: 'in time' });
  });

  it('without a tab is an error at once', async () => {
    expect(await callTab(browserCall())).toEqual({ ok: false, error: expect.stringContaining('no browser tab') });
  });

  it('ends with its turn', async () => {
    const client = await tab();
    const turn = new AbortController();
    const answer = callTab(browserCall(), turn.signal);
    await client.next('browser_tool_call');
    turn.abort();
    expect(await answer).toEqual({ ok: false, error: expect.stringContaining('cancelled') });
    expect(await callTab(browserCall(), turn.signal)).toMatchObject({ ok: false });
  });

  it('gets its own answer among concurrent calls', async () => {
    const client = await tab();
    const answers = ['a', 'b', 'c'].map((id) => callTab(browserCall(id)));
    const repeated = callTab(browserCall('a'));
    await vi.waitFor(() =>
      expect(client.received.filter(({ event }) => event === 'browser_tool_call')).toHaveLength(3),
    );
    for (const id of ['c', 'a', 'b']) client.socket.emit('tool_result', { toolCallId: id, result: id });
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c'].map((result) => ({ ok: true, result })));
    expect(await repeated).toEqual({ ok: false, error: expect.stringContaining('in use') });
  });
});
