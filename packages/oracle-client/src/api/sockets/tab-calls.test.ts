import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { isOfSession } from './session-socket.js';
import { TabCalls } from './tab-calls.js';

function tab(fn: (args: unknown) => unknown = (args) => args) {
  const sent: [string, object][] = [];
  const calls: unknown[] = [];
  const count = (args: unknown) => {
    calls.push(args);
    return fn(args);
  };
  const tabCalls = new TabCalls({
    sessionId: 's',
    toolNamed: (name) =>
      name === 'plot' ? { toolName: 'plot', description: 'Draws', schema: z.object({}), fn: count } : undefined,
    actions: {
      find: (name) =>
        name === 'pay' ? { name, description: 'Pays', parameters: { type: 'object' }, handler: count } : undefined,
    },
    send: (event, data) => sent.push([event, data]),
  });
  const answers = (many: number) => vi.waitFor(() => expect(sent).toHaveLength(many));
  return { tabCalls, sent, calls, answers };
}

const call = { sessionId: 's', requestId: 'q', toolCallId: 't1', toolName: 'plot', args: {} };
const action = { ...call, toolName: 'pay', status: 'isRunning' };

describe('calls into the tab', () => {
  it('are executed and answered once, for any number of deliveries', async () => {
    const { tabCalls, sent, calls, answers } = tab(() => ({ drawn: true }));
    for (const again of [call, call, { ...call }]) tabCalls.take('browser_tool_call', again);
    tabCalls.take('action_call', action);
    tabCalls.take('action_call', { ...action, status: 'done' });
    await answers(2);
    expect(calls).toHaveLength(2);
    const answer = { toolCallId: 't1', sessionId: 's', result: { drawn: true } };
    expect(new Map(sent)).toEqual(
      new Map([
        ['tool_result', answer],
        ['action_call_result', answer],
      ]),
    );
  });

  it('returns null for an empty result, and an error for an unknown tool or action', async () => {
    const { tabCalls, sent, answers } = tab(() => undefined);
    tabCalls.take('browser_tool_call', call);
    tabCalls.take('browser_tool_call', { ...call, toolCallId: 't2', toolName: 'fly' });
    tabCalls.take('action_call', { ...action, toolCallId: 't3', toolName: 'fly' });
    await answers(3);
    const error = 'There is no tool fly in this tab';
    const failed = 'There is no action fly in this tab';
    const answerTo = (id: string) => sent.find(([, data]) => Reflect.get(data, 'toolCallId') === id);
    expect(answerTo('t1')).toEqual(['tool_result', { toolCallId: 't1', sessionId: 's', result: null }]);
    expect(answerTo('t2')).toEqual(['tool_result', { toolCallId: 't2', sessionId: 's', result: null, error }]);
    const result = { success: false, error: failed };
    expect(answerTo('t3')).toEqual(['action_call_result', { toolCallId: 't3', sessionId: 's', result, error: failed }]);
  });

  it('are not executed for a completed action, or for anything else', async () => {
    const { tabCalls, calls } = tab();
    tabCalls.take('action_call', { ...action, status: 'done' });
    tabCalls.take('tool_call', { ...call, status: 'isRunning' });
    tabCalls.take('browser_tool_call', { toolName: 'plot' });
    expect(calls).toEqual([]);
  });
});

describe('an event', () => {
  it('ignores calls of other sessions', () => {
    expect(isOfSession(call, 's')).toBe(true);
    expect(isOfSession({ sessionId: '' }, 's')).toBe(true);
    expect(isOfSession({}, 's')).toBe(true);
    expect(isOfSession(call, 'other')).toBe(false);
    expect(isOfSession('text', 's')).toBe(false);
  });
});
