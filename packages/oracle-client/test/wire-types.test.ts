import { liveEvents, type RunEventName, runEvents } from '@mlango/schemas/oracle-events';
import type { MessageRecord as Listed } from '@mlango/schemas/oracle-messages';
import type { SessionRecord } from '@mlango/schemas/oracle-sessions';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type MessageRecord, readPage } from '../src/api/chat/message-record.js';
import { runEventOf } from '../src/api/streams/run-event.js';
import type { IChatSession } from '../src/oracle-client.js';

const place = { sessionId: 's', requestId: 'q' };
const timestamp = '2026-01-01T00:00:00.000Z';

/** One of each event that the stream of a run has, as the service writes it. */
const written: { readonly [Name in RunEventName]: object } = {
  run: { runId: 'r', ...place, resumed: true, attempt: 1, partialLength: 3 },
  message: { content: 'text', timestamp },
  reasoning: { ...place, reasoning: 'Hm', isComplete: false, timestamp },
  tool_call: { ...place, toolName: 'plot', args: { x: 1 }, status: 'done', eventId: 'c1', output: '1' },
  action_call: { ...place, toolCallId: 'c2', toolName: 'pay', args: {}, status: 'error', error: 'no' },
  approval_request: {
    ...place,
    toolCallId: 'c3',
    toolName: 'pay',
    args: { amount: 5 },
    title: 'Pay',
    reason: 'It asks.',
    plugin: 'bank',
    expiresAt: timestamp,
  },
  error: { ...place, error: 'no', kind: 'server', source: 'model', retryable: true, detail: 'no', timestamp },
  done: { runId: 'r', messageId: 'q', status: 'aborted', aborted: true, partialText: 'tex', finishReason: 'length' },
};

describe('the service’s messages', () => {
  it('has the published types', () => {
    const session = (record: SessionRecord): IChatSession => record;
    const message = ({ id, type, content, siblings = [] }: Listed): MessageRecord => ({ id, type, content, siblings });
    expectTypeOf(session).returns.toEqualTypeOf<IChatSession>();
    expectTypeOf(message).returns.toEqualTypeOf<MessageRecord>();
  });

  it.each(Object.entries(written))('is parsed: %s', (name, data) => {
    const shape = runEvents[name as RunEventName];
    expect(runEventOf(name, shape.strict().parse(data))).toBeDefined();
  });

  it('is shown by a component of the page if a call waits', () => {
    const event = runEventOf('approval_request', written.approval_request);
    expect(event).toMatchObject({
      kind: 'component',
      component: {
        kind: 'render_component',
        name: 'ApprovalRequest',
        id: 'c3',
        args: { toolName: 'pay', title: 'Pay' },
      },
    });
  });

  it('is a failed call if it ended with an error, and a component in its place', () => {
    const failed = { ...written.tool_call, output: '{"error":"no"}', error: 'no' };
    expect(runEventOf('tool_call', runEvents.tool_call.strict().parse(failed))).toMatchObject({
      component: { status: 'error', error: 'no' },
    });
    const card = { ...place, componentName: 'Card', at: 7 };
    expect(runEventOf('render_component', liveEvents.render_component.strict().parse(card))).toMatchObject({ at: 7 });
  });

  it.each([
    ['done', {}, 'done'],
    ['error', { error: 'no' }, 'error'],
    ['unknown', { error: 'The process ended' }, 'error'],
    ['waiting', {}, 'isRunning'],
  ])('is a stored call of status %s', (status, more, shown) => {
    const call = { id: 'c', name: 'pay', args: {}, status, at: 2, ...more };
    const record = { id: 'a', type: 'ai', content: 'text', toolCalls: [call] };
    expect(readPage({ messages: [record] }).messages[0]?.toolCalls).toEqual([
      { ...call, status: shown, ...(status === 'unknown' ? { isUncertain: true } : {}) },
    ]);
  });

  it('is skipped if this version does not know it, or if it is broken', () => {
    expect(runEventOf('weather', {})).toBeUndefined();
    expect(runEventOf('constructor', {})).toBeUndefined();
    expect(runEventOf('message', { content: 1 })).toBeUndefined();
    expect(runEventOf('tool_call', { toolName: 'plot' })).toBeUndefined();
    expect(runEventOf('message', null)).toBeUndefined();
  });

  it('are parsed, invalid ones are dropped', () => {
    const messages = [
      { id: 'a', type: 'human', content: 'hi', siblings: ['a', 'b'] },
      { id: 1 },
      null,
      { id: 'b', type: 'system', content: '' },
    ];
    expect(readPage({ messages, prevCursor: 'c', hasOlder: true })).toEqual({
      messages: [messages[0]],
      prevCursor: 'c',
    });
    expect(readPage({ messages, prevCursor: 'c', hasOlder: false }).prevCursor).toBeNull();
    expect(readPage('nothing')).toEqual({ messages: [], prevCursor: null });
  });
});
