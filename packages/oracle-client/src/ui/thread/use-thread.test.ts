import { describe, expect, it } from 'vitest';
import type { IMessage } from '../../api/chat/message.js';
import { unansweredIn } from './use-thread.js';

const said = (id: string, more: Partial<IMessage> = {}): IMessage => ({
  id,
  type: id.startsWith('a') ? 'ai' : 'human',
  content: id,
  isComplete: true,
  ...more,
});
const ids = (messages: readonly IMessage[], runStatus: string, status: 'ready' | 'streaming' = 'ready') => [
  ...unansweredIn({ messages, status, run: { runId: 'r', requestId: 'q', status: runStatus } }),
];

describe('messages without an answer', () => {
  it('are those before the last answered one', () => {
    expect(ids([said('h1'), said('h2'), said('a2')], 'finished')).toEqual(['h1']);
    expect(ids([said('h1'), said('a1'), said('h2'), said('a2')], 'finished')).toEqual([]);
  });

  it.each(['aborted', 'interrupted', 'failed'])('are the last ones if the run for them is %s', (status) => {
    expect(ids([said('h1'), said('a1'), said('h2'), said('h3')], status)).toEqual(['h2', 'h3']);
  });

  it('exclude those that may still be answered, and those that were never accepted', () => {
    const messages = [said('h1'), said('h2', { isQueued: true })];
    expect(ids(messages, 'running', 'streaming')).toEqual([]);
    expect(ids(messages, 'finished')).toEqual([]);
    expect(ids([said('h1', { isUnsent: true })], 'aborted')).toEqual([]);
  });
});
