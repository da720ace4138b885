import { describe, expect, it } from 'vitest';
import { ThinkTagReader, type ThinkTags, withoutThinking } from './think-tags.js';

/** Reads a text that arrives in pieces of `chars` characters. */
function read(text: string, chars: number, tags: ThinkTags = 'on') {
  const reader = new ThinkTagReader(tags);
  const pieces = text.match(new RegExp(`[^]{1,${chars}}`, 'g')) ?? [];
  const parts = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
  const of = (type: string) => parts.map((part) => (part.type === type ? part.delta : '')).join('');
  return [of('reasoning'), of('text')];
}

describe.each([1, 3, 1_000])('text in pieces of %i characters', (chars) => {
  it.each([
    ['<think>Hm. 1 < 2</think>\n\nYes', 'Hm. 1 < 2', 'Yes'],
    ['\n<think>\nHm.</think>Yes <think>no</think>', 'Hm.', 'Yes <think>no</think>'],
    ['<think></think>Yes', '', 'Yes'],
    ['<think>Hm.', 'Hm.', ''],
    ['Yes <think>no</think>', '', 'Yes <think>no</think>'],
    ['<thin', '', '<thin'],
    ['<b>Yes</b>', '', '<b>Yes</b>'],
    ['  Yes', '', '  Yes'],
    ['', '', ''],
  ])('%j has its thinking and its answer', (text, thought, answer) => {
    expect(read(text, chars)).toEqual([thought, answer]);
  });

  it('starts inside the thinking if the template opens it', () => {
    expect(read('Hm.</think>Yes', chars, 'open')).toEqual(['Hm.', 'Yes']);
  });

  it('is unchanged if tags are off', () => {
    expect(read('<think>Hm.</think>Yes', chars, 'off')).toEqual(['', '<think>Hm.</think>Yes']);
  });
});

describe('a whole text', () => {
  it.each(['<think>Hm.</think>Yes', 'Hm.</think>\nYes', 'Yes'])('%j is returned without its thinking', (text) => {
    expect(withoutThinking(text).trim()).toBe('Yes');
  });

  it('with only thinking is empty', () => {
    expect(withoutThinking('<think>Hm.')).toBe('');
  });
});
