import { describe, expect, it } from 'vitest';
import { toModelMessages } from './history.js';

const stored = (type: 'human' | 'ai', content: string) => ({
  messageId: content.slice(0, 9),
  turnId: 't',
  type,
  content,
  createdAt: new Date(0),
});

describe('what a model is shown', () => {
  it('is the conversation in order, in its own roles', () => {
    expect(toModelMessages([stored('human', 'a'), stored('ai', 'b'), stored('human', 'c')])).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ]);
  });

  it('is cut at the oldest end, and always has the message to answer', () => {
    const long = 'x'.repeat(60_000);
    const shown = toModelMessages([stored('human', `1${long}`), stored('ai', `2${long}`), stored('human', `3${long}`)]);
    expect(shown.map(({ content }) => content[0])).toEqual(['2', '3']);
    expect(toModelMessages([stored('human', 'x'.repeat(200_000))])).toHaveLength(1);
  });
});
