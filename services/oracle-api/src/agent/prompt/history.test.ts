import { describe, expect, it } from 'vitest';
import type { StoredMessage } from '../../store/sessions.js';
import { fitHistory, toModelMessages } from './history.js';

const stored = (type: 'human' | 'ai', content: string, more: Partial<StoredMessage> = {}): StoredMessage => ({
  messageId: content.slice(0, 9),
  turnId: 't',
  type,
  content,
  createdAt: new Date(0),
  ...more,
});

describe('the messages of a model request', () => {
  it('are the conversation in its own roles', () => {
    expect([stored('human', 'a'), stored('ai', 'b')].flatMap(toModelMessages)).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ]);
  });

  it('have the calls of an answer and their results before the answer', () => {
    const toolCalls = [
      { id: 'c1', name: 'find', args: { q: 1 }, status: 'done', output: '[1]' },
      { id: 'c2', name: 'find', args: {} },
    ];
    expect(toModelMessages(stored('ai', 'Found.', { toolCalls }))).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'c1', name: 'find', args: { q: 1 } },
          { id: 'c2', name: 'find', args: {} },
        ],
      },
      { role: 'tool', toolCallId: 'c1', content: '[1]' },
      { role: 'tool', toolCallId: 'c2', content: 'null' },
      { role: 'assistant', content: 'Found.' },
    ]);
  });

  it('have each call after the text before it', () => {
    const content = 'I look.\n\nAnd once more.\n\nFound.';
    const at = (text: string) => content.indexOf(text) + text.length;
    const toolCalls = [
      { id: 'c1', name: 'find', args: {}, status: 'done', output: '1', at: at('I look.') },
      { id: 'c2', name: 'find', args: {}, status: 'done', output: '2', at: at('And once more.') },
      { id: 'c3', name: 'find', args: {}, status: 'done', output: '3', at: at('And once more.') },
    ];
    const told = toModelMessages(stored('ai', content, { toolCalls }));
    expect(told.map(({ role, content: text, toolCalls: calls }) => [role, text, calls?.length])).toEqual([
      ['assistant', 'I look.', 1],
      ['tool', '1', undefined],
      ['assistant', 'And once more.', 2],
      ['tool', '2', undefined],
      ['tool', '3', undefined],
      ['assistant', 'Found.', undefined],
    ]);
  });

  it('have long results cut, and no empty answer', () => {
    const [, result, ...others] = toModelMessages(
      stored('ai', '', { toolCalls: [{ id: 'c1', name: 'find', args: {}, output: 'x'.repeat(50_000) }] }),
    );
    expect(result?.content.length).toBeLessThan(5_000);
    expect(others).toEqual([]);
  });
});

describe('a conversation cut to a number of tokens', () => {
  const long = 'x'.repeat(3_500);
  const turns = ['1', '2', '3'].flatMap((name) => [stored('human', `${name}${long}`), stored('ai', `${name}${long}`)]);
  const last = stored('human', 'and now?');

  it('is unchanged if it fits', () => {
    expect(fitHistory([...turns, last], 10_000)).toEqual({ fitted: [...turns, last], left: [] });
  });

  it('is cut at the oldest end, before a user message', () => {
    const { fitted: kept, left } = fitHistory([...turns, last], 4_500);
    expect(kept).toEqual([...turns.slice(2), last]);
    expect(left).toEqual(turns.slice(0, 2));
    expect(fitHistory([...turns, last], 3_500).fitted).toEqual([...turns.slice(4), last]);
  });

  it('always has the message to answer', () => {
    expect(fitHistory([...turns, last], 1).fitted).toEqual([last]);
    expect(fitHistory([stored('human', long)], 1).fitted).toHaveLength(1);
  });
});
